"""The book forgets just what the database has taken back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import transaction

from crownhead.server.core.problems import Conflict
from tests.server.month.memory import Memory

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def memory() -> Iterator[Memory]:
    made = Memory()
    made.open()
    yield made
    made.close()


def _note(memory: Memory, book: list[str], line: str) -> None:
    memory.begin()
    book.append(line)
    memory.undo_by(lambda: book.remove(line))


def _begin_and_refuse(memory: Memory, book: list[str], lines: tuple[str, ...]) -> None:
    with transaction.atomic():
        for line in lines:
            _note(memory, book, line)
        raise Conflict("expected a game in progress")


def _refused(memory: Memory, book: list[str], *lines: str) -> None:
    with pytest.raises(Conflict):
        _begin_and_refuse(memory, book, lines)


def test_what_an_act_that_is_refused_had_begun_is_forgotten(memory: Memory) -> None:
    book: list[str] = []
    with transaction.atomic():
        _note(memory, book, "a game has begun")
    _refused(memory, book, "it has ended", "its players were told")
    memory.take_back()
    assert book == ["a game has begun"]


def test_what_follows_an_act_that_is_refused_is_kept(memory: Memory) -> None:
    book: list[str] = []
    _refused(memory, book, "it has ended")
    with transaction.atomic():
        _note(memory, book, "it has ended by time")
    memory.take_back()
    assert book == ["it has ended by time"]


def test_within_an_act_only_the_part_that_is_refused_is_forgotten(memory: Memory) -> None:
    book: list[str] = []
    with transaction.atomic():
        _note(memory, book, "a player is expelled")
        _refused(memory, book, "his game has ended")
        _note(memory, book, "the others are told")
    memory.take_back()
    assert book == ["a player is expelled", "the others are told"]


def test_what_is_sure_is_never_undone(memory: Memory) -> None:
    book: list[str] = []
    with transaction.atomic():
        _note(memory, book, "a game has begun")
    memory.take_back()
    _refused(memory, book, "it has ended")
    memory.take_back()
    memory.take_back()
    assert book == ["a game has begun"]
