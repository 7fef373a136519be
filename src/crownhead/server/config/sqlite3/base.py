"""SQLite with a door before it: writers of all threads and processes go through one by one.

SQLite itself lets a writer that finds another one sleep, longer each time up to a tenth of a second, and
the first to wake is next: with several writers some are late by seconds. Here they look every millisecond or
two for a lock on a file beside the database, which the system frees when a process dies.

Statements are few and long, and Django looks for the marks of parameters in each of them every time: here
their form for SQLite is kept. Where Django is replaced: decision 63.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.db.backends.sqlite3 import base
from django.db.utils import OperationalError

_SHORTEST, _LONGEST = 0.0002, 0.002  # seconds between two looks at the door
_MAX_STATEMENTS = 512  # as many as a connection keeps


class _Cursor(base.SQLiteCursorWrapper):
    """A cursor that knows its statements."""

    def convert_query(self, query: str, *, param_names: Sequence[str] | None = None) -> str:
        """With the marks of SQLite for parameters."""
        if param_names is None:
            return _with_marks(query)
        return str(super().convert_query(query, param_names=param_names))


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that waits for its turn before it begins a transaction that may write."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._door: int | None = None
        self._has_turn = False

    def create_cursor(self, name: str | None = None) -> _Cursor:  # noqa: ARG002 # given by Django
        """A cursor for a statement."""
        cursor: _Cursor = self.connection.cursor(factory=_Cursor)
        return cursor

    def _start_transaction_under_autocommit(self) -> None:
        self._take_turn()
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc] # the stubs leave it out
        except BaseException:
            self._end_turn()
            raise

    def _commit(self) -> None:
        super()._commit()  # type: ignore[misc] # the stubs leave it out
        self._end_turn()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc] # the stubs leave it out
        finally:
            self._end_turn()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc] # the stubs leave it out
        finally:
            self._end_turn()
            if self._door is not None:
                os.close(self._door)
                self._door = None

    def _take_turn(self) -> None:
        if self.is_in_memory_db():
            return
        if self._door is None:
            path = Path(f"{self.settings_dict['NAME']}-turn")
            self._door = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        until = time.monotonic() + self.settings_dict["OPTIONS"].get("timeout", 5.0)
        pause = _SHORTEST
        while not self._is_free(self._door):
            if time.monotonic() > until:
                raise OperationalError("database is locked")
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST)
        self._has_turn = True

    def _end_turn(self) -> None:
        if self._has_turn and self._door is not None:
            fcntl.flock(self._door, fcntl.LOCK_UN)
        self._has_turn = False

    @staticmethod
    def _is_free(door: int) -> bool:
        """Whether the lock was free, and is ours now."""
        try:
            fcntl.flock(door, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


@lru_cache(maxsize=_MAX_STATEMENTS)
def _with_marks(query: str) -> str:
    return str(base.FORMAT_QMARK_REGEX.sub("?", query)).replace("%%", "%")
