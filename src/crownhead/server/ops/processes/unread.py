"""How much memory answers may take that nobody reads: who leaves too much unread loses connections."""

from typing import Protocol

MAX_PER_HOUSEHOLD = 8 << 20  # bytes, in each process
MAX_IN_ALL = 64 << 20


class Connection(Protocol):
    """What an answer is written to."""

    def abort(self) -> None:
        """End it at once."""


class Unread:
    """The bytes that clients of this process leave unread at the moment; used on the event loop alone."""

    def __init__(self) -> None:
        self._sizes: dict[
            str, dict[Connection, int]
        ] = {}  # of each household; who has waited longest is first
        self._sums: dict[str, int] = {}
        self._in_all = 0

    def note(self, household: str, connection: Connection, size: int) -> None:
        """Remember what a connection holds, and end those that have held theirs longest if it's too much.

        They are those of its household, or of the household that holds most.
        """
        self._set(household, connection, size)
        while self._sums.get(household, 0) > MAX_PER_HOUSEHOLD:
            self._end_slowest_of(household)
        while self._in_all > MAX_IN_ALL:
            self._end_slowest_of(max(self._sums, key=lambda name: self._sums[name]))

    def forget(self, household: str, connection: Connection) -> None:
        """The client has read all of it, or has left."""
        self._set(household, connection, 0)

    def of(self, household: str) -> int:
        """The bytes that a household leaves unread."""
        return self._sums.get(household, 0)

    def _set(self, household: str, connection: Connection, size: int) -> None:
        sizes = self._sizes.setdefault(household, {})
        change = size - sizes.get(connection, 0)
        if size:
            sizes[connection] = size
        else:
            sizes.pop(connection, None)
        self._in_all += change
        self._sums[household] = self._sums.get(household, 0) + change
        if not sizes:
            del self._sizes[household], self._sums[household]

    def _end_slowest_of(self, household: str) -> None:
        slowest = next(iter(self._sizes[household]))
        self.forget(household, slowest)
        slowest.abort()
