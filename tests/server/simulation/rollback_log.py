"""Undoes expected changes when the database rolls back the transaction they belong to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from django.db import connection

_TABLE = "simulated_steps"
Undo = Callable[[], None]


@dataclass(slots=True)
class RollbackLog:
    """The changes that are not committed yet.

    Each change leaves a row in a table of its own, written in the transaction that caused it. If that is
    rolled back, to its start or to a savepoint, the rows of its changes are gone; they are always the latest.
    """

    _steps: list[tuple[int, list[Undo]]] = field(default_factory=list)
    _count: int = 0

    def open(self) -> None:
        """Create the table."""
        _execute(f"CREATE TABLE {_TABLE} (number integer PRIMARY KEY)")

    def close(self) -> None:
        """Drop the table."""
        _execute(f"DROP TABLE {_TABLE}")

    def begin(self) -> None:
        """Begin a change in the current transaction."""
        self.apply_rollbacks()
        self._count += 1
        _execute(f"INSERT INTO {_TABLE} VALUES ({self._count})")
        self._steps.append((self._count, []))

    def undo_by(self, undo: Undo) -> None:
        """Register how the latest change is undone."""
        if self._steps:
            self._steps[-1][1].append(undo)

    def apply_rollbacks(self) -> None:
        """Undo the changes that the database rolled back; outside a transaction all others are final."""
        if not self._steps:
            return
        latest = _execute(f"SELECT MAX(number) FROM {_TABLE}") or 0
        while self._steps and self._steps[-1][0] > latest:
            for undo in reversed(self._steps.pop()[1]):
                undo()
        if not connection.in_atomic_block:
            self._steps.clear()


def _execute(sql: str) -> int | None:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        if cursor.description is None:
            return None
        found: int | None = cursor.fetchone()[0]
        return found
