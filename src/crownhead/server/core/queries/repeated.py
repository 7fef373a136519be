"""What a piece of work asked of the database, so that it can be asked again: is the answer still the same?

    with record_answers() as answers:
        page = made()
    ...
    if answers.are_the_same(now):  # what was made from them is, too

Asking is a fraction of the work that is made of the answers. Where a parameter is a moment, it is moved on by
the time that has passed since, as if the work were done now (decisions 31 and 63).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Any

from django.db import connection

from crownhead.server.core import clock

_READS = ("SELECT", "WITH")
_OF_TRANSACTIONS = ("BEGIN", "SAVEPOINT", "RELEASE")
_is_noted: ContextVar[bool] = ContextVar("is_noted", default=True)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?")  # as SQLite stores it


@dataclass(frozen=True, slots=True)
class _Question:
    """A query: its parameters, and those of them that are moments, by their places."""

    sql: str
    parameters: tuple[Any, ...] | None
    moments: tuple[tuple[int, datetime], ...]

    @classmethod
    def of(cls, sql: str, parameters: Sequence[Any] | None) -> _Question:
        given = None if parameters is None else tuple(parameters)
        read = [(place, _moment(value)) for place, value in enumerate(given or ())]
        return cls(sql, given, tuple((place, moment) for place, moment in read if moment is not None))

    def later(self, passed: timedelta) -> tuple[Any, ...] | None:
        """The parameters of the same question, asked later by so much."""
        if not self.moments or self.parameters is None:
            return self.parameters
        moved = list(self.parameters)
        for place, moment in self.moments:
            then = moment + passed
            moved[place] = then if isinstance(moved[place], datetime) else str(then)
        return tuple(moved)


@dataclass(slots=True)
class Answers:
    """What was asked, and a digest of what was answered."""

    asked_at: datetime
    questions: list[_Question] = field(default_factory=list)
    digest: bytes = b""
    is_repeatable: bool = True  # nothing was written or locked

    def are_the_same(self, now: datetime) -> bool:
        """Ask all of it again."""
        found, passed = _Digest(), now - self.asked_at
        with connection.cursor() as cursor:
            for question in self.questions:
                cursor.execute(question.sql, question.later(passed))
                found.add(cursor.fetchall())
        return found.value() == self.digest


class _Digest:
    """A digest of rows."""

    def __init__(self) -> None:
        self._hash = blake2b(digest_size=16)

    def add(self, rows: Sequence[Any]) -> None:
        self._hash.update(repr(rows).encode())

    def value(self) -> bytes:
        return self._hash.digest()


@contextmanager
def record_answers() -> Iterator[Answers]:
    """Note what is asked within by this thread. Each query is asked twice, first for the digest.

    So what is noted is never newer than what the work saw: a change between the two is found the next time.
    """
    answers, digest = Answers(clock.now()), _Digest()

    def note(execute: Callable[..., Any], sql: str, parameters: Any, many: bool, context: Any) -> Any:
        if sql.startswith(_READS) and " FOR " not in sql and not many:
            if _is_noted.get():
                execute(sql, parameters, many, context)
                digest.add(context["cursor"].fetchall())
                answers.questions.append(_Question.of(sql, parameters))
        elif not sql.startswith(_OF_TRANSACTIONS):
            answers.is_repeatable = False
        return execute(sql, parameters, many, context)

    with connection.execute_wrapper(note):
        yield answers
    answers.digest = digest.value()


@contextmanager
def asked_once() -> Iterator[None]:
    """Note no question within: its answer costs much, and is kept for a while whatever changes."""
    before = _is_noted.set(False)
    try:
        yield
    finally:
        _is_noted.reset(before)


def _moment(value: Any) -> datetime | None:
    if isinstance(value, datetime):
        return value
    return datetime.fromisoformat(value) if isinstance(value, str) and _MOMENT.fullmatch(value) else None
