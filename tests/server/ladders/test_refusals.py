"""Every challenge that is refused says why, beforehand in the standings and when it is tried."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from crownhead.server.accounts.contacts import services as contact_services
from crownhead.server.accounts.models import User
from crownhead.server.core.problems import TooMany
from crownhead.server.ladders import services
from crownhead.server.ladders.models import Challenge, Ladder, Member
from crownhead.server.ladders.problems import ChallengeRefused, NotOnLadder
from crownhead.server.ladders.selectors import eligibility
from crownhead.server.ladders.selectors.styles import MOST_RECEIVED, MOST_RETURNED, REST, Refusal
from crownhead.server.play.games.services.deadlines import end_overdue_games
from crownhead.server.play.models import Game
from crownhead.server.play.vacation import services as vacation_services
from tests.server.ladders.factories import (
    challenge,
    end,
    games_of,
    make_finished_challenge,
    make_ladder,
    make_members,
    names_by_place,
)
from tests.server.play.factories import DAY, NOW, fresh

pytestmark = pytest.mark.django_db


def _refused(ladder: Ladder, user: User, other: User) -> tuple[str, str]:
    """The reason and the sentence; the standings say the same."""
    before = Challenge.objects.count()
    with pytest.raises(ChallengeRefused) as refused:
        challenge(ladder, user, other)
    assert Challenge.objects.count() == before
    me = Member.objects.select_related("user").get(ladder=ladder, user=user)
    them = Member.objects.select_related("user").filter(ladder=ladder, user=other)
    for member in them:
        against = eligibility.check(ladder, me, [member], now=NOW)[other.pk]
        assert against is not None
        assert (against.reason, against.sentence) == (refused.value.facts["reason"], refused.value.detail)
    return refused.value.facts["reason"], refused.value.detail


def test_twenty_places_away_is_near_enough_and_twenty_one_is_not(places: Ladder) -> None:
    cast = make_members(43, places)
    assert _refused(places, cast[21], cast[0]) == (
        "too-high",
        "p01 is more than 20 places above you.",
    )
    assert _refused(places, cast[21], cast[42])[0] == "too-low"
    challenge(places, cast[21], cast[1])
    challenge(places, cast[21], cast[41])


def test_one_has_two_open_challenges_of_ones_own_however_often_one_is_challenged(places: Ladder) -> None:
    cast = make_members(6, places)
    for other in cast[1:4]:
        challenge(places, other, cast[0])
    challenge(places, cast[0], cast[4])
    challenge(places, cast[0], cast[5])
    reason, sentence = _refused(places, cast[4], cast[0])
    assert reason == "open-between"
    assert sentence == "You already have an open challenge with p01."
    extra = make_members(1, places, prefix="q")
    assert _refused(places, cast[0], extra[0]) == (
        "own-challenges",
        "You can have at most 2 open challenges of your own.",
    )


@pytest.mark.parametrize("how", ["at once", "on time", "leaving"])
def test_anyone_who_flees_from_their_own_challenge_leaves_the_other_alone_for_a_fortnight(
    places: Ladder, how: str
) -> None:
    cast = make_members(3, places)
    (game,) = games_of(challenge(places, cast[0], cast[1]))
    if how == "at once":
        end(game, cast[1], moves=False)
    elif how == "leaving":
        services.leave(user=cast[0], ladder_id=places.public_id, now=NOW)
        services.join(user=cast[0], ladder_id=places.public_id, now=NOW)
    else:
        Game.objects.filter(pk=game.pk).update(turn="first" if game.first_player == cast[0] else "second")
        end_overdue_games(now=NOW + 30 * DAY)
    rest = "You did not finish your challenge to p02. You can challenge them again after 14 days."
    assert _refused(places, cast[0], cast[1]) == ("met-lately", rest)
    challenge(places, cast[0], cast[2])  # anybody else
    end(games_of(challenge(places, cast[1], cast[0]))[0], cast[1])  # it was not them who fled
    challenge(places, cast[0], cast[1], now=NOW + 44 * DAY)


def test_a_game_that_is_played_makes_nobody_wait(places: Ladder) -> None:
    cast = make_members(2, places)
    make_finished_challenge(places, cast[0], cast[1], winner=cast[1])
    challenge(places, cast[0], cast[1])


def test_nobody_makes_more_challenges_in_a_day_than_the_host_allows(
    places: Ladder, settings: Settings
) -> None:
    cast = make_members(3, places)
    settings.LIMITS = settings.LIMITS | {"challenges": "2/d"}
    make_finished_challenge(places, cast[0], cast[1], winner=cast[0])
    make_finished_challenge(places, cast[0], cast[1], winner=cast[0])
    with pytest.raises(TooMany):
        challenge(places, cast[0], cast[2])
    challenge(places, cast[1], cast[2])


def test_a_challenge_that_is_over_makes_room_for_another_also_of_the_same_player(places: Ladder) -> None:
    cast = make_members(3, places)
    challenge(places, cast[0], cast[1])
    make_finished_challenge(places, cast[0], cast[2], winner=None)
    challenge(places, cast[0], cast[2])


def test_you_cannot_challenge_yourself(places: Ladder) -> None:
    (one,) = make_members(1, places)
    assert _refused(places, one, one) == ("self", "You can't challenge yourself.")


def test_a_player_who_is_not_on_the_ladder_neither_challenges_nor_is_challenged(
    places: Ladder, alice: User
) -> None:
    (one,) = make_members(1, places)
    assert _refused(places, one, alice) == ("not-on-ladder", "alice is not on this ladder.")
    with pytest.raises(NotOnLadder):
        challenge(places, alice, one)


def test_a_player_on_vacation_cannot_be_challenged_and_the_date_is_shown(places: Ladder) -> None:
    cast = make_members(2, places)
    vacation_services.plan(user=cast[0], begins=NOW, ends=NOW + 5 * DAY, now=NOW)
    assert _refused(places, cast[1], cast[0]) == ("away", "p01 is on vacation until 6 Mar 2026.")
    challenge(places, cast[0], cast[1])


def test_a_vacation_that_has_not_begun_or_is_over_stands_against_nothing(places: Ladder) -> None:
    cast = make_members(2, places)
    vacation_services.plan(user=cast[0], begins=NOW + DAY, ends=NOW + 3 * DAY, now=NOW)
    me, them = Member.objects.select_related("user").order_by("-place")
    for days, refusal in ((0, None), (2, Refusal.AWAY), (4, None)):
        against = eligibility.check(places, me, [them], now=NOW + days * DAY)[cast[0].pk]
        assert (against and against.reason) == refusal


def test_blocking_prevents_challenges_both_ways(places: Ladder) -> None:
    cast = make_members(2, places)
    contact_services.block(user=cast[0], other=cast[1], now=NOW)
    assert _refused(places, cast[1], cast[0])[0] == "not-welcome"
    assert _refused(places, cast[0], cast[1]) == ("ignored", "You have blocked p02.")


def test_a_player_who_may_not_act_any_more_is_not_challenged(places: Ladder) -> None:
    cast = make_members(2, places)
    User.objects.filter(pk=cast[0].pk).update(is_active=False)
    me = Member.objects.select_related("user").get(user=cast[1])
    them = Member.objects.select_related("user").get(user=cast[0])
    against = eligibility.check(places, me, [them], now=NOW)[cast[0].pk]
    assert against is not None
    assert against.reason == "gone"


def test_the_limit_of_games_at_once_is_no_refuge(places: Ladder, settings: Any) -> None:
    settings.GAMES_PER_PLAYER = 0
    cast = make_members(2, places)
    (game,) = games_of(challenge(places, cast[1], cast[0]))
    assert fresh(game).status == "playing"


def test_challenges_on_one_ladder_do_not_count_on_another(places: Ladder) -> None:
    other = make_ladder(time=7)
    cast = make_members(4, places)
    for user in cast:
        services.join(user=user, ladder_id=other.public_id, now=NOW)
    for ladder in (places, other):
        challenge(ladder, cast[0], cast[1])
        challenge(ladder, cast[0], cast[2])
    assert names_by_place(places) == names_by_place(other)


def test_every_reason_of_the_rules_has_a_sentence(places: Ladder, stairs: Ladder, alice: User) -> None:
    for ladder in (places, stairs):
        for refusal in Refusal:
            said = eligibility._ineligible(ladder, refusal, alice, None).sentence  # noqa: SLF001 - all of them
            assert said.endswith(".")
            assert "%" not in said
    assert REST == 14 * DAY


def _with_who_returned(places: Ladder, count: int = 10) -> tuple[list[User], list[Challenge]]:
    """The first has eight open challenges: four from members who came back, four from others."""
    cast = make_members(count, places)
    made = [challenge(places, other, cast[0]) for other in cast[1 : MOST_RECEIVED + 1]]
    for number in range(MOST_RETURNED):
        end(games_of(made[number])[0], None)
        made[number] = challenge(places, cast[number + 1], cast[0])
    return cast, made


def test_members_who_come_back_at_once_leave_half_the_room_to_others(places: Ladder) -> None:
    cast, made = _with_who_returned(places)
    end(games_of(made[MOST_RETURNED])[0], None)
    assert _refused(places, cast[MOST_RETURNED + 1], cast[0]) == (
        "challenged-already",
        "You have played p01 in the last 14 days, and so had 4 others whose challenges are still open. "
        "Try again later.",
    )
    challenge(places, cast[-1], cast[0])  # somebody new


def test_a_challenge_the_other_way_makes_somebody_who_comes_back_too(places: Ladder) -> None:
    cast = make_members(7, places)
    for other in cast[1:6]:
        make_finished_challenge(places, cast[0], other, winner=None)
    for other in cast[1:5]:
        challenge(places, other, cast[0])
    assert _refused(places, cast[5], cast[0])[0] == "challenged-already"
    challenge(places, cast[6], cast[0])


def test_after_a_fortnight_members_who_met_are_new_again(places: Ladder) -> None:
    cast, made = _with_who_returned(places)
    end(games_of(made[MOST_RETURNED])[0], None)
    challenge(places, cast[MOST_RETURNED + 1], cast[0], now=NOW + 14 * DAY)


def test_who_came_back_stays_so_however_long_the_challenge_lasts(places: Ladder) -> None:
    cast, made = _with_who_returned(places, MOST_RECEIVED + 3)
    late = made[MOST_RETURNED]
    end(games_of(late)[0], None)
    Challenge.objects.filter(pk=late.pk).update(ended_at=NOW + 13 * DAY)
    with pytest.raises(ChallengeRefused):
        challenge(places, cast[MOST_RETURNED + 1], cast[0], now=NOW + 20 * DAY)
    challenge(places, cast[-1], cast[0], now=NOW + 20 * DAY)


@pytest.mark.parametrize("leaders", [1, 3])
def test_who_came_back_to_many_is_asked_in_one_question(places: Ladder, leaders: int) -> None:
    cast = make_members(3 * leaders + 6, places)
    helpers = cast[leaders:-1]
    for number, leader in enumerate(cast[:leaders]):
        make_finished_challenge(places, cast[-1], leader, winner=None)
        for step in range(MOST_RETURNED):
            other = helpers[(number * MOST_RETURNED + step) % len(helpers)]
            make_finished_challenge(places, other, leader, winner=None)
            challenge(places, other, leader)
    rows = list(Member.objects.filter(ladder=places).select_related("user").order_by("place"))
    with CaptureQueriesContext(connection) as queries:
        found = eligibility.check(places, rows[-1], rows, now=NOW)
    assert len(queries) == 6
    refused = [key for key, against in found.items() if against and against.reason == "challenged-already"]
    assert refused == [leader.pk for leader in cast[:leaders]]


@pytest.mark.parametrize("count", [2, 30])
def test_the_standings_ask_the_same_few_questions_however_long_they_are(places: Ladder, count: int) -> None:
    make_members(count, places)
    rows = list(Member.objects.filter(ladder=places).select_related("user").order_by("place"))
    with CaptureQueriesContext(connection) as queries:
        found = eligibility.check(places, rows[0], rows, now=NOW)
    assert len(queries) == 5
    assert sum(against is None for against in found.values()) == min(count - 1, 20)


def test_joining_and_leaving_all_day_ends_somewhere(alice: User, settings: Settings) -> None:
    settings.LIMITS = settings.LIMITS | {"ladders": "2/d"}
    ladder = make_ladder().public_id
    for _ in range(2):
        services.join(user=alice, ladder_id=ladder, now=NOW)
        services.leave(user=alice, ladder_id=ladder, now=NOW)
    with pytest.raises(TooMany):
        services.join(user=alice, ladder_id=ladder, now=NOW)
