"""Queries that are asked again: alike while nothing changes, as of now, and never of what writes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.core import clock
from crownhead.server.core.queries.repeated import Answers, asked_once, record_answers

pytestmark = pytest.mark.django_db

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)


def names_seen_before(moment: datetime) -> tuple[list[str], Answers]:
    """Who was seen until a moment, and what was asked for it."""
    with clock.stopped(AT), record_answers() as answers:
        found = list(User.objects.filter(last_seen_at__lte=moment).values_list("username", flat=True))
    return found, answers


def test_answers_are_the_same_until_a_row_changes(alice: User, bob: User) -> None:
    User.objects.update(last_seen_at=AT)
    found, answers = names_seen_before(AT)
    assert sorted(found) == ["alice", "bob"]
    assert answers.are_the_same(AT)
    User.objects.filter(pk=bob.pk).update(last_seen_at=AT + timedelta(days=1))
    assert not answers.are_the_same(AT)
    User.objects.filter(pk=bob.pk).update(last_seen_at=AT)
    assert answers.are_the_same(AT)


def test_moments_move_on_with_the_time(alice: User) -> None:
    User.objects.update(last_seen_at=AT + timedelta(seconds=2))
    found, answers = names_seen_before(AT)
    assert found == []
    assert answers.are_the_same(AT + timedelta(seconds=1))
    assert not answers.are_the_same(AT + timedelta(seconds=3))


def test_what_writes_or_locks_cannot_be_repeated(alice: User) -> None:
    with record_answers() as read:
        User.objects.filter(username="alice").exists()
    with record_answers() as written:
        User.objects.update(last_seen_at=AT)
    assert read.is_repeatable
    assert not written.is_repeatable


def test_what_is_kept_for_a_while_is_not_asked_again(alice: User) -> None:
    with record_answers() as answers:
        with asked_once():
            assert User.objects.count() == 1
        assert User.objects.filter(username="alice").exists()
    assert len(answers.questions) == 1
    with record_answers() as written, asked_once():
        User.objects.update(last_seen_at=AT)
    assert not written.is_repeatable
