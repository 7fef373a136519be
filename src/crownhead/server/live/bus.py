"""The in-process bus: a committed write in any thread wakes the event loop's dispatcher.

It carries no messages, only "there is something new"; what is new is read from the outbox in its order, so
that nothing is lost or told out of turn whichever thread or process wrote it.
"""

import asyncio
import threading


class Bus:
    """Connects writers in any thread to at most one listener on an event loop."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._bell: asyncio.Event | None = None

    def attach(self, bell: asyncio.Event) -> None:
        """Ring `bell`, which belongs to the running loop, whenever there is something new."""
        with self._lock:
            self._loop, self._bell = asyncio.get_running_loop(), bell

    def detach(self) -> None:
        with self._lock:
            self._loop = self._bell = None

    def wake(self) -> None:
        """There is something new; from any thread."""
        with self._lock:
            if self._loop is not None and self._bell is not None and not self._loop.is_closed():
                self._loop.call_soon_threadsafe(self._bell.set)


BUS = Bus()
