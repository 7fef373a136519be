"""The statements of a request without their values: a slow one says which of them took the time."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any, TypedDict

LONGEST = 300  # characters of a statement that are logged
_MAX_KEPT = 200  # different statements of a request; what comes beyond is only counted
_SLOWEST = 3  # statements that are logged for their time

_SPACE = re.compile(r"\s+")
_COLUMNS = re.compile(r'("\w+"\."\w+")(?: AS "\w+")?(?:, "\w+"\."\w+"(?: AS "\w+")?)+')
_VALUE = re.compile(r"'(?:[^']|'')*'|%s|(?<![\w\"$.])\d+(?:\.\d+)?(?![\w\"])")
_VALUES = re.compile(r"\?(?:, \?)+")


class StatementSummary(TypedDict):
    """A statement, how often it ran, and how long in all."""

    statement: str
    times: int
    milliseconds: int


class Statements:
    """Counts and times the statements of a request; an execute wrapper of Django's connections."""

    __slots__ = ("_kept", "count")

    def __init__(self) -> None:
        self.count = 0
        self._kept: dict[str, list[float]] = {}  # the number of times, and seconds in all

    def __call__(
        self, execute: Callable[..., Any], sql: str, parameters: Any, many: bool, context: Any
    ) -> Any:
        """Run a statement, and note how long it took."""
        self.count += 1
        begun = time.perf_counter()
        try:
            return execute(sql, parameters, many, context)
        finally:
            kept = self._kept.get(sql)
            if kept is None and len(self._kept) < _MAX_KEPT:
                kept = self._kept[sql] = [0, 0.0]
            if kept is not None:
                kept[0] += 1
                kept[1] += time.perf_counter() - begun

    def summary(self) -> list[StatementSummary]:
        """The slowest few, the slowest first, and the one that ran most often if it ran more than once."""
        by_time = sorted(self._kept, key=lambda sql: -self._kept[sql][1])
        reported = by_time[:_SLOWEST]
        repeated = [sql for sql in by_time if self._kept[sql][0] > 1]
        if repeated and (often := max(repeated, key=lambda sql: self._kept[sql][0])) not in reported:
            reported.append(often)
        return [
            {
                "statement": without_values(sql),
                "times": int(self._kept[sql][0]),
                "milliseconds": round(self._kept[sql][1] * 1000),
            }
            for sql in reported
        ]


def without_values(sql: str) -> str:
    """The statement with a question mark for each value, one column for a row of them, and a bounded length.

    >>> without_values('SELECT "a"."b", "a"."c" FROM "a" WHERE "a"."b" IN (%s, %s) LIMIT 21')
    'SELECT "a"."b", … FROM "a" WHERE "a"."b" IN (?, …) LIMIT ?'
    """
    text = _VALUE.sub("?", _SPACE.sub(" ", sql))
    text = _COLUMNS.sub(r"\1, …", _VALUES.sub("?, …", text)).strip()
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
