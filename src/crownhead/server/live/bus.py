"""Wakes the dispatcher on the event loop as soon as any thread or process has committed an event.

No messages are carried, only "there is something new". The dispatcher reads the outbox in order, so nothing
is lost or out of order, whichever thread or process wrote it. Other processes are woken by LISTEN and NOTIFY
of PostgreSQL; SQLite has nothing like it: there the polling of the hub finds what another process wrote.
"""

import asyncio
import logging
import threading
from typing import Any

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

from crownhead.server.core.processes.neighbours import broadcast, subscribe
from crownhead.server.core.queries.direct import direct_connection

log = logging.getLogger(__name__)

_CHANNEL = "crownhead_events"
_POLL = 1.0  # seconds between checks whether to stop
_RETRY = 2.0  # seconds before reconnecting
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
        broadcast(_NEWS)
        self.wake_here()

    def wake_here(self) -> None:
        """Wake the listener of this process; callable from any thread."""
        with self._lock:
            if self._loop is not None and self._wakeup is not None and not self._loop.is_closed():
                self._loop.call_soon_threadsafe(self._wakeup.set)


BUS = Bus()

subscribe(_NEWS)(BUS.wake_here)


def can_notify(database: BaseDatabaseWrapper | Any = connection) -> bool:
    """Whether the database can notify its clients."""
    return str(database.vendor) == "postgresql"


def notify() -> None:
    """Wake the other processes once the transaction of the caller has committed."""
    if can_notify():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, '')", [_CHANNEL])


class Listener:
    """A thread with its own connection that passes notifications on to the bus; idle on SQLite."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start the thread."""
        if can_notify():
            self._thread = threading.Thread(target=self._run, name="listener", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Stop the thread."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(timeout=5)

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._listen()
            except Exception:
                log.exception("lost the connection that listens for events; reconnecting")
                self._stopping.wait(_RETRY)

    def _listen(self) -> None:
        database = direct_connection()
        database.connect()
        try:
            database.set_autocommit(True)
            with database.cursor() as cursor:
                cursor.execute(f"LISTEN {_CHANNEL}")
            while not self._stopping.is_set():
                for _ in database.connection.notifies(timeout=_POLL, stop_after=1):
                    self._bus.wake()
        finally:
            database.close()
