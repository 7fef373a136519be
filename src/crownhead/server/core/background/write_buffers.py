"""Small writes that looking at pages makes: buffered by each process, and written together, a moment later.

A page that only reads then never waits for the database's writer. A buffer has a name for the log, and a
function that writes what was buffered, in one transaction; the last value of a key counts:

    _PRESENCE = WriteBuffer("presence", _write)
    _PRESENCE.put(user.pk, now)

The timekeeper of a process that serves pages writes them out every few seconds, and once more when it stops;
what a killed process had not written is lost. Elsewhere, as in commands and tests, they are written at once.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from django.db import IntegrityError, transaction

log = logging.getLogger(__name__)

AT_ONCE = 200  # values that are written in one transaction, by one statement
ONE_BY_ONE = 25  # the same where each value has statements of its own

K = TypeVar("K", int, str)
V = TypeVar("V")

_buffers: list[WriteBuffer[Any, Any]] = []
_buffering = 0  # how many want writes to be buffered


class WriteBuffer(Generic[K, V]):
    """Values by key that wait to be written, in the order of the keys: so does every process."""

    def __init__(
        self,
        name: str,
        write: Callable[[Mapping[K, V]], None],
        *,
        join: Callable[[V, V], V] = lambda _before, after: after,
        at_once: int = AT_ONCE,
    ) -> None:
        """``join``: what becomes of a value that could not be written, and one that came meanwhile."""
        self._name, self._join, self._at_once = name, join, at_once
        self._write: Callable[[Mapping[K, V]], None] = write
        self._values: dict[K, V] = {}
        self._lock, self._writing = threading.Lock(), threading.Lock()
        _buffers.append(self)

    def put(self, key: K, value: V) -> None:
        """Write a value soon, instead of any other that waits under this key."""
        if not _buffering:
            self._write({key: value})
            return
        with self._lock:
            self._values[key] = value

    def waiting(self, key: K) -> V | None:
        """The value that waits to be written under a key."""
        return self._values.get(key)

    def flush(self) -> None:
        """Write all that waits; what cannot be written now goes on waiting. Raises ``DatabaseError``.

        Afterwards it is written also where another thread has begun to.
        """
        with self._writing:
            while some := self._take():
                self._write_some(some)

    def _write_some(self, some: dict[K, V]) -> None:
        try:
            with transaction.atomic():
                self._write(some)
        except IntegrityError:
            log.exception("%d values of %s could not be stored, and are dropped", len(some), self._name)
        except BaseException:
            with self._lock:
                for key, value in some.items():
                    after = self._values.get(key)
                    self._values[key] = value if after is None else self._join(value, after)
            raise

    def clear(self) -> None:
        """Drop all that waits."""
        with self._lock:
            self._values.clear()

    def _take(self) -> dict[K, V]:
        with self._lock:
            keys = sorted(list(self._values)[: self._at_once])
            return {key: self._values.pop(key) for key in keys}


class RowsBuffer(WriteBuffer[K, Mapping[int, V]]):
    """The same where a key, such as a user's, has any number of rows: so many rows are written at once.

    ``waiting`` gives those that are not being written.
    """

    def _take(self) -> dict[K, Mapping[int, V]]:
        some: dict[K, Mapping[int, V]] = {}
        room = self._at_once
        with self._lock:
            for key in sorted(list(self._values)[: self._at_once]):
                rows = list(self._values.pop(key).items())
                some[key] = dict(rows[:room])
                if rows[room:]:
                    self._values[key] = dict(rows[room:])
                room -= len(some[key])
                if not room:
                    break
        return some


def flush() -> None:
    """Write all that was buffered; raises ``DatabaseError``."""
    for buffer in _buffers:
        buffer.flush()


def begin() -> None:
    """From now on this process buffers; somebody must call `flush`."""
    global _buffering  # of the process
    _buffering += 1


def end() -> None:
    """Write what is left; from now on everything is written at once."""
    global _buffering  # of the process
    _buffering -= 1
    flush()


def clear() -> None:
    """Drop all that waits; for tests."""
    for buffer in _buffers:
        buffer.clear()


@contextmanager
def buffering() -> Iterator[None]:
    """Buffer writes within, and flush at the end."""
    begin()
    try:
        yield
    finally:
        end()
