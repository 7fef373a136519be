"""Closing a ladder voids its challenges by and by, and they count for nothing from the first."""

from __future__ import annotations

from datetime import timedelta

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.accounts.services import closing
from crownhead.server.core.processes.queues import GENERAL
from crownhead.server.ladders import jobs, selectors, services
from crownhead.server.ladders.models import Challenge, Ladder, Line, Member
from crownhead.server.ladders.problems import LadderIsClosed
from crownhead.server.ladders.services import challenges, checking, voiding
from tests.server.ladders.factories import (
    challenge,
    end,
    games_of,
    make_ladder,
    make_members,
    names_by_place,
    play_two_moves,
    steps,
)
from tests.server.play.factories import NOW
from tests.server.tasks import run_tasks

pytestmark = pytest.mark.django_db

LATER = NOW + timedelta(hours=1)
MADE = 8  # of which a request voids five


def _closed(ladder: Ladder, dora: User) -> tuple[list[User], list[Challenge]]:
    """Close a ladder with challenges of each member to the next; those that are left to the worker."""
    cast = make_members(MADE + 1, ladder)
    for one, other in zip(cast[1:], cast, strict=False):
        challenge(ladder, one, other)
    services.close_ladder(staff=dora, ladder_id=ladder.public_id, now=NOW)
    return cast, list(Challenge.objects.filter(ended_at=None).order_by("pk"))


def _expect_all_void(ladder: Ladder) -> None:
    ended = Challenge.objects.filter(ladder=ladder).values_list("outcome", "ended_at")
    assert set(ended) == {("void", NOW)}
    assert Line.objects.filter(ladder=ladder, kind="void").count() == MADE
    assert not Member.objects.filter(ladder=ladder).exclude(won=0, drawn=0, lost=0).exists()
    assert list(checking.findings(repair=False)) == []


def test_a_request_voids_few_challenges_of_a_closed_ladder_and_the_worker_the_others(
    places: Ladder, dora: User
) -> None:
    cast, left = _closed(places, dora)
    assert len(left) == 3
    assert selectors.players_of_voided_challenges(selectors.access_ladder(places.public_id)) == {
        user.pk for user in cast
    }
    run_tasks(GENERAL)
    _expect_all_void(places)
    voiding.void_the_rest(ladder_id=places.public_id)  # again: nothing
    _expect_all_void(places)


def test_a_worker_that_was_killed_leaves_no_challenge_of_a_closed_ladder(places: Ladder, dora: User) -> None:
    make_members(2, other := make_ladder(time=9), prefix="q")
    going_on = challenge(other, *User.objects.filter(username__in=["q01", "q02"]))
    _closed(places, dora)
    jobs.void_challenges_of_closed_ladders(LATER)
    _expect_all_void(places)
    going_on.refresh_from_db()
    assert going_on.ended_at is None


def test_one_that_fails_holds_up_no_other(
    places: Ladder, dora: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    _cast, left = _closed(places, dora)
    void = challenges.void_of_closed_ladder

    def failing(*, ladder_id: str, challenge_id: int) -> None:
        if challenge_id == left[0].pk:
            raise OSError("disk")
        void(ladder_id=ladder_id, challenge_id=challenge_id)

    monkeypatch.setattr(challenges, "void_of_closed_ladder", failing)
    voiding.void_forgotten()
    assert list(Challenge.objects.filter(ended_at=None)) == left[:1]


@pytest.mark.parametrize("style", ["places", "stairs"])
def test_a_game_that_ends_before_the_worker_comes_moves_nobody(style: str, dora: User) -> None:
    ladder = make_ladder(style=style)
    _cast, left = _closed(ladder, dora)
    standings = names_by_place if style == "places" else steps
    before = standings(ladder)
    end(games_of(left[0])[0], left[0].challenger, now=LATER)
    assert standings(ladder) == before
    left[0].refresh_from_db()
    assert (left[0].outcome, left[0].ended_at) == ("void", NOW)
    run_tasks(GENERAL)
    _expect_all_void(ladder)


def test_who_leaves_before_the_worker_comes_loses_no_challenge(places: Ladder, dora: User) -> None:
    _cast, left = _closed(places, dora)
    play_two_moves(*games_of(left[-1]), now=LATER)
    services.leave(user=left[-1].challenger, ladder_id=places.public_id, now=LATER)
    run_tasks(GENERAL)
    assert games_of(left[-1])[0].status == "playing"
    _expect_all_void(places)


def test_who_closes_their_account_before_the_worker_comes_makes_nobody_win(
    places: Ladder, dora: User
) -> None:
    _cast, left = _closed(places, dora)
    for made in left[-2:]:
        play_two_moves(*games_of(made), now=LATER)
    closing.close(user=left[-1].challenged, now=LATER)
    run_tasks(GENERAL)
    _expect_all_void(places)


def test_a_challenge_of_a_closed_ladder_is_open_for_nobody(places: Ladder, dora: User) -> None:
    cast, left = _closed(places, dora)
    user = left[-1].challenger
    assert list(selectors.open_challenges_of(user)) == []
    assert selectors.games_with(places, user) == {}
    with pytest.raises(LadderIsClosed):
        challenge(places, cast[0], cast[-1])
