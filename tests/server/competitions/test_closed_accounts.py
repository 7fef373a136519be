"""A closed account leaves its tournaments by the worker, or by a job."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.accounts.services import closing, leftovers
from crownhead.server.competitions import jobs, services
from crownhead.server.competitions.access import lock_tournament
from crownhead.server.competitions.models import Entrant, Invitation, Tournament
from crownhead.server.competitions.services import entries
from crownhead.server.core.problems import Conflict
from crownhead.server.core.processes.queues import GENERAL
from tests.server.competitions.factories import invite_substitute, make_running_tournament, make_tournament
from tests.server.play.factories import NOW
from tests.server.tasks import run_tasks

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def entered(alice: User, bob: User) -> None:
    """Bob has entered four tournaments and is invited to four."""
    for number in range(4):
        open_one = make_tournament(alice, name=f"Cup {number}")
        services.enter(user=bob, tournament_id=open_one.public_id, now=NOW)
        other = make_tournament(alice, name=f"Trophy {number}", entry="invited")
        services.invite(user=alice, tournament_id=other.public_id, usernames=["bob"], now=NOW)


def left_of(bob: User) -> tuple[int, int]:
    return Entrant.objects.filter(user=bob).count(), Invitation.objects.filter(user=bob).count()


def test_the_worker_leaves_the_tournaments_of_a_closed_account(bob: User) -> None:
    closing.close(user=bob, now=NOW)
    assert left_of(bob) == (4, 4)
    assert run_tasks(GENERAL)
    assert left_of(bob) == (0, 0)


def test_a_job_comes_back_to_what_a_worker_has_left(bob: User) -> None:
    closing.close(user=bob, now=NOW)
    jobs.forget_closed_accounts(NOW + timedelta(minutes=10))
    assert left_of(bob) == (0, 0)


def test_what_is_left_is_seen_to_before_anything_is_said_of_it(
    bob: User, caplog: pytest.LogCaptureFixture
) -> None:
    closing.close(user=bob, now=NOW)
    with caplog.at_level(logging.WARNING):
        jobs.forget_closed_accounts(NOW + leftovers.LATE + timedelta(days=1))
    assert left_of(bob) == (0, 0)
    assert caplog.messages == []


def test_an_account_that_cannot_be_seen_to_holds_up_no_other(
    alice: User, bob: User, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    for tournament in Tournament.objects.filter(entry="open"):
        services.enter(user=charlie, tournament_id=tournament.public_id, now=NOW)
    closing.close(user=bob, now=NOW)
    closing.close(user=charlie, now=NOW + timedelta(minutes=1))
    forget = entries.forget

    def fail(*, user_id: int, **more: Any) -> None:
        if user_id == bob.pk:
            raise ValueError
        forget(user_id=user_id, **more)

    monkeypatch.setattr(entries, "forget", fail)
    jobs.forget_closed_accounts(NOW + timedelta(minutes=10))
    assert (left_of(bob)[0], left_of(charlie)[0]) == (4, 0)


def test_who_closes_an_account_waits_for_no_tournament(bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    locked: list[str] = []

    def note(tournament_id: str) -> Tournament:
        locked.append(tournament_id)
        return lock_tournament(tournament_id)

    monkeypatch.setattr(entries, "lock_tournament", note)
    closing.close(user=bob, now=NOW)
    assert locked == []
    run_tasks(GENERAL)
    assert len(locked) == 4


def test_nothing_is_left_for_who_did_not_close_their_account(bob: User) -> None:
    entries.forget(user_id=bob.pk, now=NOW)
    jobs.forget_closed_accounts(NOW)
    assert left_of(bob) == (4, 4)


def test_nobody_takes_a_place_by_a_director_who_was_suspended(alice: User, charlie: User) -> None:
    tournament, players = make_running_tournament(alice, 4)
    invite_substitute(tournament, players[0], charlie)
    User.objects.filter(pk=alice.pk).update(is_active=False)
    with pytest.raises(Conflict, match="can't decide about this place now"):
        services.enter(user=charlie, tournament_id=tournament.public_id, now=NOW)
