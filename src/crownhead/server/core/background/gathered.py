"""Small writes that looking at pages makes: gathered by each process, and written together, a moment later.

A page that only reads then never waits for the database's writer. A kind has a name for the log, and a
function that writes what was gathered, in one transaction; the last value of a key counts:

    _PRESENCE = Gathered("presence", _write)
    _PRESENCE.put(user.pk, now)

The timekeeper of a process that serves pages writes them out every few seconds, and once more when it stops;
what a killed process had not written is lost. Elsewhere, as in commands and tests, they are written at once.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from django.db import IntegrityError, transaction

log = logging.getLogger(__name__)

AT_ONCE = 200  # values that are written in one transaction

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

_kinds: list[Gathered[Any, Any]] = []
_gathering = 0  # how many want writes to be gathered


class Gathered(Generic[K, V]):
    """Values by key that wait to be written."""

    def __init__(self, name: str, write: Callable[[Mapping[K, V]], None]) -> None:
        self._name, self._write = name, write
        self._values: dict[K, V] = {}
        self._lock, self._writing = threading.Lock(), threading.Lock()
        _kinds.append(self)

    def put(self, key: K, value: V) -> None:
        """Write a value soon, instead of any other that waits under this key."""
        if not _gathering:
            self._write({key: value})
            return
        with self._lock:
            self._values[key] = value

    def waiting(self, key: K) -> V | None:
        """The value that waits to be written under a key."""
        return self._values.get(key)

    def write_out(self) -> None:
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
                self._values = some | self._values
            raise

    def forget(self) -> None:
        """Drop all that waits."""
        with self._lock:
            self._values.clear()

    def _take(self) -> dict[K, V]:
        with self._lock:
            keys = list(self._values)[:AT_ONCE]
            return {key: self._values.pop(key) for key in keys}


def write_out() -> None:
    """Write all that was gathered; raises ``DatabaseError``."""
    for kind in _kinds:
        kind.write_out()


def begin() -> None:
    """From now on this process gathers; somebody must call `write_out`."""
    global _gathering  # of the process
    _gathering += 1


def end() -> None:
    """Write what is left; from now on everything is written at once."""
    global _gathering  # of the process
    _gathering -= 1
    write_out()


def forget() -> None:
    """Drop all that waits; for tests."""
    for kind in _kinds:
        kind.forget()


@contextmanager
def gathering() -> Iterator[None]:
    """Gather within, and write it at the end."""
    begin()
    try:
        yield
    finally:
        end()
