"""What the database takes back, the book takes back: an act that is refused undoes all that it had begun."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from django.db import connection

_TABLE = "month_steps"
Undo = Callable[[], None]


@dataclass(slots=True)
class Memory:
    """The steps of the book that are not sure yet.

    Each leaves a row in a table of its own, written within the transaction that it follows: where that one is
    rolled back, to its beginning or to a savepoint, the rows of its steps are gone, and they are always the
    latest ones.
    """

    _steps: list[tuple[int, list[Undo]]] = field(default_factory=list)
    _count: int = 0

    def open(self) -> None:
        """Before anything happens."""
        _say(f"CREATE TABLE {_TABLE} (number integer PRIMARY KEY)")

    def close(self) -> None:
        """When all is over."""
        _say(f"DROP TABLE {_TABLE}")

    def begin(self) -> None:
        """Something happens in a transaction: what is noted from now on is undone with it."""
        self.take_back()
        self._count += 1
        _say(f"INSERT INTO {_TABLE} VALUES ({self._count})")
        self._steps.append((self._count, []))

    def undo_by(self, undo: Undo) -> None:
        """How the latest change of the book is undone."""
        if self._steps:
            self._steps[-1][1].append(undo)

    def take_back(self) -> None:
        """Undo what the database has taken back; outside of a transaction all that is left is sure."""
        if not self._steps:
            return
        latest = _say(f"SELECT MAX(number) FROM {_TABLE}") or 0
        while self._steps and self._steps[-1][0] > latest:
            for undo in reversed(self._steps.pop()[1]):
                undo()
        if not connection.in_atomic_block:
            self._steps.clear()


def _say(sql: str) -> int | None:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        if cursor.description is None:
            return None
        found: int | None = cursor.fetchone()[0]
        return found
