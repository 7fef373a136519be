"""Who leaves a ladder or closes their account: nobody wins by it, and a request does only a little."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from crownhead.server.accounts.models import User
from crownhead.server.accounts.services import closing
from crownhead.server.core import clock
from crownhead.server.core.processes.queues import GENERAL
from crownhead.server.ladders import jobs, selectors, services
from crownhead.server.ladders.models import Challenge, Ladder, Line, Member
from crownhead.server.ladders.problems import ChallengeRefused
from crownhead.server.ladders.selectors import eligibility
from crownhead.server.ladders.selectors.styles import MOST_RECEIVED, Refusal
from crownhead.server.ladders.services import challenges, checking, leaving
from tests.server.conftest import Api
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
from tests.server.pages.conftest import Open
from tests.server.play.factories import NOW, fresh
from tests.server.tasks import close_for_good, run_tasks

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def _score(ladder: Ladder, user: User) -> tuple[int, int, int]:
    member = Member.objects.get(ladder=ladder, user=user)
    return member.won, member.drawn, member.lost


def _expect_consistency() -> None:
    assert list(checking.findings(repair=False)) == []


def test_nobody_climbs_by_others_who_leave_and_come_back(stairs: Ladder) -> None:
    cast = make_members(4, stairs)
    for helper in cast[1:]:
        made = challenge(stairs, cast[0], helper)
        services.leave(user=helper, ladder_id=stairs.public_id, now=NOW)
        services.join(user=helper, ladder_id=stairs.public_id, now=NOW)
        made.refresh_from_db()
        assert made.outcome == "void"
    assert steps(stairs) == {"p01": 1, "p02": 1, "p03": 1, "p04": 1}
    assert _score(stairs, cast[0]) == (0, 0, 0)
    with pytest.raises(ChallengeRefused) as refused:
        challenge(stairs, cast[0], cast[1])
    assert refused.value.facts["reason"] == "met-lately"
    _expect_consistency()


def test_challengers_who_leave_at_once_leave_neither_wins_nor_rated_games(places: Ladder) -> None:
    cast = make_members(4, places)
    games = []
    for other in cast[1:]:
        games += games_of(challenge(places, other, cast[0]))
        services.leave(user=other, ladder_id=places.public_id, now=NOW)
    assert names_by_place(places) == ["p01"]
    assert _score(places, cast[0]) == (0, 0, 0)
    with clock.stopped(NOW):
        assert run_tasks(GENERAL)
    assert {(fresh(game).status, fresh(game).annulled) for game in games} == {("finished", True)}
    _expect_consistency()


def test_each_challenge_of_who_leaves_is_lost_in_a_transaction_of_its_own(
    places: Ladder, monkeypatch: pytest.MonkeyPatch
) -> None:
    cast = make_members(4, places)
    for other in cast[1:]:
        challenge(places, other, cast[0])
    parts: list[str] = []
    forfeit = challenges._forfeit  # noqa: SLF001

    def note(*facts: Any) -> None:
        parts.append(connection.savepoint_ids[-1])
        forfeit(*facts)

    monkeypatch.setattr(challenges, "_forfeit", note)
    services.leave(user=cast[0], ladder_id=places.public_id, now=NOW)
    assert len(parts) == len(set(parts)) == 3
    assert "p01" not in names_by_place(places)
    _expect_consistency()


@pytest.mark.parametrize("who", [0, 1])
def test_a_challenge_that_was_played_is_lost_by_leaving_though_its_game_goes_on(
    places: Ladder, who: int
) -> None:
    cast = make_members(2, places)
    made = challenge(places, cast[0], cast[1])
    play_two_moves(*games_of(made))
    services.leave(user=cast[who], ladder_id=places.public_id, now=NOW)
    run_tasks(GENERAL)
    made.refresh_from_db()
    assert made.outcome == ("lost", "won")[who]
    assert _score(places, cast[1 - who]) == (1, 0, 0)
    assert games_of(made)[0].status == "playing"
    _expect_consistency()


def test_the_staff_remove_somebody_and_nobody_wins_an_unplayed_challenge(places: Ladder, dora: User) -> None:
    cast = make_members(3, places)
    made = challenge(places, cast[2], cast[0])
    services.remove(staff=dora, ladder_id=places.public_id, user=cast[0], reason="Cheating.", now=NOW)
    made.refresh_from_db()
    assert (made.outcome, names_by_place(places)) == ("void", ["p02", "p03"])


def test_a_worker_that_was_killed_leaves_no_unplayed_game(places: Ladder) -> None:
    cast = make_members(2, places)
    (game,) = games_of(challenge(places, cast[0], cast[1]))
    services.leave(user=cast[1], ladder_id=places.public_id, now=NOW)
    assert fresh(game).status == "playing"
    jobs.end_games_of_who_left(NOW)
    ended = fresh(game)
    assert (ended.status, ended.annulled) == ("finished", True)
    jobs.end_games_of_who_left(NOW)
    assert fresh(game).version == ended.version


def test_a_game_that_is_played_before_the_worker_comes_goes_on(places: Ladder) -> None:
    cast = make_members(2, places)
    made = challenge(places, cast[0], cast[1])
    services.leave(user=cast[1], ladder_id=places.public_id, now=NOW)
    play_two_moves(*games_of(made))
    run_tasks(GENERAL)
    jobs.end_games_of_who_left(NOW)
    assert games_of(made)[0].status == "playing"


@pytest.mark.parametrize("ladders_first", [False, True])
def test_nobody_wins_by_an_account_that_is_closed_before_the_game(
    stairs: Ladder, *, ladders_first: bool
) -> None:
    cast = make_members(2, stairs)
    made = challenge(stairs, cast[0], cast[1])
    closing.close(user=cast[1], now=NOW)
    if ladders_first:
        leaving.leave_all(user_id=cast[1].pk, now=NOW)
    run_tasks(GENERAL)
    made.refresh_from_db()
    assert (made.outcome, steps(stairs)) == ("void", {"p01": 1})
    assert games_of(made)[0].annulled
    _expect_consistency()


def test_closing_an_account_loses_what_was_played(places: Ladder) -> None:
    cast = make_members(3, places)
    made = challenge(places, cast[2], cast[0])
    play_two_moves(*games_of(made))
    close_for_good(cast[0], NOW + HOUR)
    made.refresh_from_db()
    assert (made.outcome, names_by_place(places)) == ("won", ["p03", "p02"])
    assert games_of(made)[0].termination == "resignation"
    _expect_consistency()


def test_one_of_two_games_that_was_played_is_enough_for_the_old_rule(alice: User, bob: User) -> None:
    ladder = make_ladder(games=2)
    for user in (alice, bob):
        services.join(user=user, ladder_id=ladder.public_id, now=NOW)
    made = challenge(ladder, bob, alice)
    end(games_of(made)[0], alice)
    close_for_good(alice, NOW + HOUR)
    made.refresh_from_db()
    assert (made.outcome, names_by_place(ladder)) == ("won", ["bob"])
    _expect_consistency()


def test_the_history_that_the_old_rule_wrote_still_fits(
    places: Ladder, stairs: Ladder, monkeypatch: pytest.MonkeyPatch
) -> None:
    for ladder, prefix in ((places, "p"), (stairs, "s")):
        cast = make_members(4, ladder, prefix=prefix)
        with monkeypatch.context() as patched:
            patched.setattr(challenges, "was_played", lambda _made: True)
            challenge(ladder, cast[3], cast[0])
            services.leave(user=cast[0], ladder_id=ladder.public_id, now=NOW)
        challenge(ladder, cast[2], cast[1])
        services.leave(user=cast[1], ladder_id=ladder.public_id, now=NOW)
    assert names_by_place(places) == ["p04", "p03"]
    assert steps(stairs) == {"s03": 1, "s04": 2}
    assert Line.objects.filter(kind="fled").count() == Line.objects.filter(kind="void").count() == 2
    _expect_consistency()


def test_nobody_on_places_is_buried_in_challenges_that_they_cannot_decline(places: Ladder) -> None:
    cast = make_members(MOST_RECEIVED + 2, places)
    made = [challenge(places, other, cast[0]) for other in cast[1:-1]]
    assert len(made) == MOST_RECEIVED
    with pytest.raises(ChallengeRefused) as refused:
        challenge(places, cast[-1], cast[0])
    assert refused.value.facts["reason"] == "challenged-already"
    assert refused.value.detail == (
        "p01 already has 8 open challenges from others. Try again when some of them are over."
    )
    challenge(places, cast[0], cast[-1])  # they may challenge others
    end(games_of(made[0])[0], None)
    challenge(places, cast[1], cast[0])


@pytest.fixture
def many() -> tuple[list[Ladder], list[User]]:
    """Four ladders, most of them with challenges to the first member."""
    ladders = [make_ladder(time=days) for days in (1, 2, 3, 4)]
    cast = make_members(4)
    for ladder in ladders:
        for user in cast:
            services.join(user=user, ladder_id=ladder.public_id, now=NOW)
    for ladder, others in zip(ladders, (cast[1:3], cast[1:4], [], cast[1:2]), strict=True):
        for other in others:
            challenge(ladder, other, cast[0])
    return ladders, cast


def _ladders_of(user: User) -> int:
    return Member.objects.filter(user=user).count()


def test_the_worker_leaves_the_ladders_of_a_closed_account(many: tuple[list[Ladder], list[User]]) -> None:
    ladders, cast = many
    closing.close(user=cast[0], now=NOW)
    assert _ladders_of(cast[0]) == 4
    assert Challenge.objects.filter(ended_at=None).count() == 6
    run_tasks(GENERAL)
    assert _ladders_of(cast[0]) == 0
    assert not Challenge.objects.filter(ended_at=None).exists()
    for ladder in ladders:
        assert names_by_place(ladder) == ["p02", "p03", "p04"]
    _expect_consistency()


def test_a_worker_that_was_killed_leaves_nobody_on_a_ladder_who_is_gone(
    many: tuple[list[Ladder], list[User]],
) -> None:
    _ladders, cast = many
    closing.close(user=cast[0], now=NOW)
    jobs.leave_ladders_of_closed_accounts(NOW + HOUR)
    assert _ladders_of(cast[0]) == 0
    assert not Challenge.objects.filter(ended_at=None).exists()
    leaving.leave_all(user_id=cast[0].pk, now=NOW + HOUR)  # again: nothing
    _expect_consistency()


def test_a_closed_account_that_waits_for_the_worker_holds_up_nobody(
    many: tuple[list[Ladder], list[User]],
) -> None:
    ladders, cast = many
    closing.close(user=cast[0], now=NOW)
    second = ladders[1]
    assert [row.user.pk for row in selectors.standings(second).items] == [user.pk for user in cast[1:]]
    assert selectors.leaders().get(second.pk) is None
    me = Member.objects.select_related("user").get(ladder=second, user=cast[1])
    gone = Member.objects.select_related("user").get(ladder=second, user=cast[0])
    against = eligibility.check(second, me, [gone], now=NOW)[cast[0].pk]
    assert against is not None
    assert against.reason == Refusal.GONE
    for other in cast[2:]:  # the challenge to who is gone is none of the two
        challenge(second, cast[1], other)


def test_a_challenge_to_a_closed_account_is_not_counted_among_those_received(
    many: tuple[list[Ladder], list[User]],
) -> None:
    ladders, cast = many
    challenge(ladders[2], cast[0], cast[1])
    closing.close(user=cast[0], now=NOW)
    for other in make_members(MOST_RECEIVED, ladders[2], prefix="q"):
        challenge(ladders[2], other, cast[1])


def test_open_challenges_are_read_in_parts(places: Ladder) -> None:
    cast = make_members(4, places)
    made = [challenge(places, other, cast[0]).pk for other in cast[1:]]
    api = Api().as_(cast[0])

    def part(**query: int) -> list[int]:
        return [row["id"] for row in json.loads(api.get("/ladders/challenges", **query).content)]

    assert part() == made[::-1]
    assert part(limit=2) == made[:0:-1]
    assert part(offset=2, limit=2) == made[:1]
    assert api.get("/ladders/challenges", limit=101).status_code == 422


def test_the_page_of_open_challenges_leads_to_older_ones(
    places: Ladder, window: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crownhead.server.ladders.views.PER_PAGE", 2)
    cast = make_members(4, places)
    for other in cast[1:]:
        challenge(places, other, cast[0])
    page = window(cast[0]).get("/ladders/challenges/")
    assert "Older" in page.text
    assert "p02 p01" not in page.text
    after = page.html.partition('href="?after=')[2].partition('"')[0]
    assert "p02 p01" in window(cast[0]).get(f"/ladders/challenges/?after={after}").text
