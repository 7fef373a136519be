"""Wakes this process when another one has committed an event: PostgreSQL's LISTEN and NOTIFY.

With SQLite there is no such call; the hub's own polling finds what another process wrote.
"""

import logging
import threading
from typing import Any

from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from crownhead.server.live.bus import Bus

log = logging.getLogger(__name__)

_CHANNEL = "crownhead_events"
_LOOK_UP = 1.0  # seconds after which a listener sees that it is to end
_AGAIN = 2.0  # seconds until a lost connection is tried anew


def can_notify(database: BaseDatabaseWrapper | Any = connection) -> bool:
    """Whether the database tells its clients of each other."""
    return str(database.vendor) == "postgresql"


def notify() -> None:
    """Tell the other processes, once the caller's transaction has committed, that there is something new."""
    if can_notify():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, '')", [_CHANNEL])


class Listener:
    """A thread with a connection of its own that passes calls on to the bus; idle on SQLite."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._end = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to listen."""
        if can_notify():
            self._thread = threading.Thread(target=self._work, name="listener", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End."""
        self._end.set()
        if self._thread is not None:
            self._thread.join(timeout=5)

    def _work(self) -> None:
        while not self._end.is_set():
            try:
                self._listen()
            except Exception:
                log.exception("the connection that listens for events was lost; it is tried again")
                self._end.wait(_AGAIN)

    def _listen(self) -> None:
        database = connections.create_connection("default")
        database.settings_dict["OPTIONS"] = {}  # not one of the pool: it is never given back
        database.connect()
        try:
            database.set_autocommit(True)
            with database.cursor() as cursor:
                cursor.execute(f"LISTEN {_CHANNEL}")
            while not self._end.is_set():
                for _ in database.connection.notifies(timeout=_LOOK_UP, stop_after=1):
                    self._bus.wake()
        finally:
            database.close()
