"""Counts of what is open at the moment, kept by all processes of a server together.

They lie in memory that is made before the processes are forked. Each process writes a column of its own, so
that there is nothing to lock; that of one which has died is emptied by their parent.
"""

from __future__ import annotations

import mmap
import secrets

MAX_PROCESSES = 64
_SLOTS = 1 << 15  # for the hashes of names; two that fall into one are counted together, which is stricter
_BYTES = 8
_SALT = secrets.randbits(64)  # the same for all, and known to nobody who would look for such two

_place, _processes = 0, 1


def settle(place: int, processes: int) -> None:
    """Be the process at this place (from 0) of so many; what one before has left there is forgotten.

    Of more than `MAX_PROCESSES` those beyond share the last column.
    """
    global _place, _processes
    _place, _processes = min(place, MAX_PROCESSES - 1), min(processes, MAX_PROCESSES)
    for counts in _all:
        counts.forget()


def clear(place: int) -> None:
    """Count no more what a process has left that was at this place and has ended; called by the parent."""
    for counts in _all:
        counts.clear(min(place, MAX_PROCESSES - 1))


class SharedCounts:
    """Counts by name, and of all names together; made before the fork, and used on the event loop alone."""

    def __init__(self) -> None:
        size = _SLOTS * MAX_PROCESSES * _BYTES  # of which the system gives what is written to
        self._columns = memoryview(mmap.mmap(-1, size)).cast("q")
        self._own: dict[int, int] = {}  # by slot, what this process has written
        _all.append(self)

    def add(self, name: str, amount: int) -> None:
        """Add to a count, and to that of all; a negative amount takes away."""
        for slot in (0, _slot(name)):
            now = self._own.pop(slot, 0) + amount
            if now:
                self._own[slot] = now
            self._columns[slot * MAX_PROCESSES + _place] = now

    def of(self, name: str) -> int:
        """The count of a name in all processes."""
        return self._sum(_slot(name))

    def in_all(self) -> int:
        """The count of all names in all processes."""
        return self._sum(0)

    def forget(self) -> None:
        """Empty the column of this process."""
        self._own.clear()
        self.clear(_place)

    def clear(self, place: int) -> None:
        """Empty the column of a process."""
        for at in range(place, _SLOTS * MAX_PROCESSES, MAX_PROCESSES):
            if self._columns[at]:
                self._columns[at] = 0

    def _sum(self, slot: int) -> int:
        begin = slot * MAX_PROCESSES
        return sum(self._columns[begin : begin + _processes])


_all: list[SharedCounts] = []


def _slot(name: str) -> int:
    """The place of a name; that of all names is 0."""
    return 1 + hash((_SALT, name)) % (_SLOTS - 1)
