"""Several doing things on one ladder at the same moment."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial

import pytest
from django.db import transaction

from crownhead import VARIANTS
from crownhead.server.ladders import services
from crownhead.server.ladders.models import Challenge, Ladder, Member
from crownhead.server.ladders.problems import ChallengeRefused, OnLadder
from crownhead.server.ladders.services import challenges, leaving
from crownhead.server.ladders.services.challenges import Result
from crownhead.server.play.games.selectors import replay
from crownhead.server.play.games.selectors.replay import lacks_moves
from crownhead.server.play.models import Game
from crownhead.server.play.problems import GameOver
from tests.server.held_rows import beside, needs_held_rows, until_somebody_waits
from tests.server.ladders.factories import challenge, games_of, make_members, names_by_place, play_next_move
from tests.server.play.factories import NOW, fresh
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


@needs_held_rows
@pytest.mark.django_db(transaction=True)
def test_processes_that_start_at_once_open_each_ladder_once() -> None:
    with beside(partial(services.ensure_defaults, now=NOW)) as start, transaction.atomic():
        services.ensure_defaults(now=NOW)
        start()
        until_somebody_waits()
    assert Ladder.objects.count() == 2 * len(VARIANTS)


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


def test_a_move_while_an_unplayed_game_ends_makes_it_no_game_that_counts(
    in_a_file: Move, places: Ladder, monkeypatch: pytest.MonkeyPatch
) -> None:
    cast = make_members(2, places)
    (game,) = games_of(challenge(places, cast[0], cast[1]))
    for _ in range(3):
        game = play_next_move(game)
    in_a_file()
    services.leave(user=cast[1], ladder_id=places.public_id, now=NOW)
    asked, moved = threading.Event(), threading.Event()

    def ask(asked_about: Game) -> bool:
        answer = lacks_moves(asked_about)
        asked.set()
        moved.wait(1)
        return answer

    def move() -> Game:
        asked.wait(10)
        game_after = play_next_move(game)
        moved.set()
        return game_after

    monkeypatch.setattr(replay, "lacks_moves", ask)
    end = partial(leaving.end_unplayed, [game.public_id], user_id=cast[1].pk, now=NOW)
    assert at_once([end, move]) == {type(None): 1, GameOver: 1}
    ended = fresh(game)
    assert (ended.status, ended.annulled, len(ended.moves.split())) == ("finished", True, 3)
