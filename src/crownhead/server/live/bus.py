"""The in-process bus: a committed write in any thread wakes the dispatcher on the event loop.

It carries no messages, only "there is something new". The dispatcher reads the outbox in order, so nothing is
lost or out of order, whichever thread or process wrote it.
"""

import asyncio
import threading

from crownhead.server.core.processes.neighbours import hears, tell

_NEWS = "news"


class Bus:
    """Connects writers in any thread to at most one listener on an event loop."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._wakeup: asyncio.Event | None = None

    def attach(self, wakeup: asyncio.Event) -> None:
        """Set `wakeup`, which belongs to the running loop, whenever there is something new."""
        with self._lock:
            self._loop, self._wakeup = asyncio.get_running_loop(), wakeup

    def detach(self) -> None:
        with self._lock:
            self._loop = self._wakeup = None

    def wake(self) -> None:
        """Wake the listener here and in the neighbours; callable from any thread."""
        tell(_NEWS)
        self.wake_here()

    def wake_here(self) -> None:
        """Wake the listener of this process; callable from any thread."""
        with self._lock:
            if self._loop is not None and self._wakeup is not None and not self._loop.is_closed():
                self._loop.call_soon_threadsafe(self._wakeup.set)


BUS = Bus()

hears(_NEWS)(BUS.wake_here)
