"""Several doing things on one ladder at the same moment."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from crownhead.server.ladders import services
from crownhead.server.ladders.models import Challenge, Ladder, Member
from crownhead.server.ladders.problems import ChallengeRefused, OnLadder
from crownhead.server.ladders.services import challenges
from crownhead.server.ladders.services.challenges import Result
from crownhead.server.play.models import Game
from tests.server.ladders.factories import challenge, games_of, make_members, names_by_place
from tests.server.play.factories import NOW
from tests.server.play.test_at_once import at_once, in_a_file

__all__ = ["in_a_file"]

Move = Callable[[], None]


def test_many_step_on_at_once_and_each_gets_a_place(in_a_file: Move, places: Ladder) -> None:
    cast = make_members(8)
    in_a_file()
    outcomes = at_once(
        [partial(services.join, user=user, ladder_id=places.public_id, now=NOW) for user in [*cast, cast[0]]]
    )
    assert outcomes == {Member: 8, OnLadder: 1}
    assert sorted(names_by_place(places)) == [user.username for user in cast]


def test_a_challenge_sent_twice_is_made_once(in_a_file: Move, places: Ladder) -> None:
    cast = make_members(2, places)
    in_a_file()
    outcomes = at_once([partial(challenge, places, cast[1], cast[0]) for _ in range(4)])
    assert outcomes == {Challenge: 1, ChallengeRefused: 3}
    assert Game.objects.count() == 1


def test_nobody_gets_three_open_challenges_by_being_fast(in_a_file: Move, places: Ladder) -> None:
    cast = make_members(6, places)
    in_a_file()
    outcomes = at_once([partial(challenge, places, cast[0], other) for other in cast[1:]])
    assert outcomes == {Challenge: 2, ChallengeRefused: 3}


def test_results_and_leavers_at_once_leave_no_gap(in_a_file: Move, places: Ladder) -> None:
    cast = make_members(8, places)
    made = [challenge(places, cast[7 - number], cast[number]) for number in range(4)]
    games = [games_of(one)[0] for one in made]
    in_a_file()
    ends = [
        partial(
            challenges.count,
            ladder_id=places.public_id,
            result=Result(
                game_id=game.public_id,
                first_id=game.first_player_id or 0,
                half_points=(2, 0) if game.first_player_id == one.challenger_id else (0, 2),
            ),
            now=NOW,
        )
        for one, game in zip(made, games, strict=True)
    ]
    leaving = [partial(services.leave, user=cast[3], ladder_id=places.public_id, now=NOW)]
    at_once([*ends, *ends, *leaving])
    left = names_by_place(places)
    assert len(left) == 7
    assert "p04" not in left
    assert Challenge.objects.exclude(outcome="won").exclude(challenged=cast[3], outcome="void").count() == 0
