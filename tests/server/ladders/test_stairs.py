"""A ladder of steps, as BrainKing's stairs."""

from __future__ import annotations

from datetime import timedelta

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.core.problems import Forbidden
from crownhead.server.ladders import services
from crownhead.server.ladders.models import Ladder, Line, Member
from crownhead.server.ladders.problems import ChallengeRefused
from crownhead.server.play.games.services.deadlines import end_overdue_games
from tests.server.ladders.factories import (
    challenge,
    end,
    games_of,
    make_finished_challenge,
    make_members,
    names_by_place,
    steps,
)
from tests.server.play.factories import DAY, NOW, fresh

pytestmark = pytest.mark.django_db


def _refusal(ladder: Ladder, user: User, other: User) -> str:
    with pytest.raises(ChallengeRefused) as refused:
        challenge(ladder, user, other)
    return str(refused.value.facts["reason"])


def _put(ladder: Ladder, user: User, step: int) -> None:
    Member.objects.filter(ladder=ladder, user=user).update(step=step)


def test_everybody_begins_on_step_1_a_win_leads_up_and_a_loss_not_below(stairs: Ladder) -> None:
    cast = make_members(3, stairs)
    assert steps(stairs) == {"p01": 1, "p02": 1, "p03": 1}
    make_finished_challenge(stairs, cast[0], cast[1], winner=cast[0])
    assert steps(stairs) == {"p01": 2, "p02": 1, "p03": 1}
    make_finished_challenge(stairs, cast[0], cast[2], winner=cast[2])
    assert steps(stairs) == {"p01": 1, "p02": 1, "p03": 2}


def test_a_draw_leaves_both_where_they_are(stairs: Ladder) -> None:
    cast = make_members(2, stairs)
    _put(stairs, cast[0], 4)
    _put(stairs, cast[1], 3)
    make_finished_challenge(stairs, cast[0], cast[1], winner=None)
    assert steps(stairs) == {"p01": 4, "p02": 3}


@pytest.mark.parametrize(
    ("theirs", "wanted"),
    [(7, "too-high"), (6, "too-high"), (5, ""), (4, ""), (2, ""), (1, "too-low")],
)
def test_one_challenges_ones_own_step_and_three_below(stairs: Ladder, theirs: int, wanted: str) -> None:
    cast = make_members(2, stairs)
    _put(stairs, cast[0], 5)
    _put(stairs, cast[1], theirs)
    if wanted:
        assert _refusal(stairs, cast[0], cast[1]) == wanted
    else:
        assert challenge(stairs, cast[0], cast[1]).challenged_rank == theirs


def test_one_plays_at_most_one_game_as_challenger_and_one_as_challenged(stairs: Ladder) -> None:
    cast = make_members(5, stairs)
    challenge(stairs, cast[0], cast[1])
    assert _refusal(stairs, cast[0], cast[2]) == "own-challenges"
    assert _refusal(stairs, cast[2], cast[1]) == "challenged-already"
    assert _refusal(stairs, cast[1], cast[0]) == "open-between"
    challenge(stairs, cast[1], cast[2])
    challenge(stairs, cast[3], cast[0])


def test_the_same_opponent_is_not_met_again_within_fourteen_days(stairs: Ladder) -> None:
    cast = make_members(2, stairs)
    make_finished_challenge(stairs, cast[0], cast[1], winner=None)
    for user, other in ((cast[0], cast[1]), (cast[1], cast[0])):
        assert _refusal(stairs, user, other) == "met-lately"
    challenge(stairs, cast[1], cast[0], now=NOW + 14 * DAY)


def test_a_player_who_loses_on_time_goes_back_to_step_1(stairs: Ladder) -> None:
    cast = make_members(2, stairs)
    for user in cast:
        _put(stairs, user, 6)
    (game,) = games_of(challenge(stairs, cast[0], cast[1]))
    end_overdue_games(now=NOW + 30 * DAY)
    game = fresh(game)
    assert game.winner == "second"
    assert game.first_player is not None
    assert game.second_player is not None
    assert steps(stairs) == {game.first_player.username: 1, game.second_player.username: 7}


def test_a_game_given_up_at_once_costs_the_step_and_one_lost_on_the_board_only_one(stairs: Ladder) -> None:
    cast = make_members(4, stairs)
    for user in cast:
        _put(stairs, user, 5)
    (game,) = games_of(challenge(stairs, cast[0], cast[1]))
    end(game, cast[0], moves=False)
    make_finished_challenge(stairs, cast[2], cast[3], winner=cast[2])
    assert steps(stairs) == {"p01": 6, "p02": 1, "p03": 6, "p04": 4}


def test_a_player_who_leaves_and_comes_back_begins_on_step_1(stairs: Ladder) -> None:
    cast = make_members(2, stairs)
    _put(stairs, cast[0], 6)
    services.leave(user=cast[0], ladder_id=stairs.public_id, now=NOW)
    services.join(user=cast[0], ladder_id=stairs.public_id, now=NOW + timedelta(days=1))
    assert steps(stairs) == {"p01": 1, "p02": 1}


def test_the_staff_put_people_on_another_step(stairs: Ladder, dora: User) -> None:
    cast = make_members(2, stairs)
    services.place(staff=dora, ladder_id=stairs.public_id, user=cast[0], rank=9, reason="A mistake.", now=NOW)
    assert steps(stairs) == {"p01": 9, "p02": 1}


def test_the_staff_close_up_the_stairs_and_the_order_stays(stairs: Ladder, dora: User) -> None:
    cast = make_members(5, stairs)
    for user, step in zip(cast, (9, 4, 4, 2, 7), strict=True):
        _put(stairs, user, step)
    assert services.close_up(staff=dora, ladder_id=stairs.public_id, now=NOW) == 5
    assert steps(stairs) == {"p01": 4, "p02": 2, "p03": 2, "p04": 1, "p05": 3}
    assert services.close_up(staff=dora, ladder_id=stairs.public_id, now=NOW) == 0
    assert Line.objects.filter(kind="closed-up", staff=dora).count() == 1
    with pytest.raises(Forbidden):
        services.close_up(staff=cast[0], ladder_id=stairs.public_id, now=NOW)


def test_a_ladder_of_places_has_nothing_to_close_up(places: Ladder, dora: User) -> None:
    make_members(3, places)
    assert services.close_up(staff=dora, ladder_id=places.public_id, now=NOW) == 0
    assert names_by_place(places) == ["p01", "p02", "p03"]
