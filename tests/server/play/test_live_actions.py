"""What only players of live games do: call a game off before it has begun, and give the other time."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import Any

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.core.problems import Conflict
from crownhead.server.play.clocks.services import give_time
from crownhead.server.play.draws.services import abort
from crownhead.server.play.games.contests import Contest
from crownhead.server.play.games.options import GameOptions, LiveClock
from crownhead.server.play.games.services.seating import start_game
from tests.server.play.factories import NOW, api_of, make_game, play_moves

pytestmark = pytest.mark.django_db
SECOND = timedelta(seconds=1)
LIVE: dict[str, Any] = {"days_per_move": None, "clock": LiveClock(initial=300)}


def test_a_live_game_can_be_aborted_until_both_have_moved_and_counts_for_nothing(
    alice: User, bob: User
) -> None:
    game = play_moves(make_game(alice, bob, **LIVE), "11-15")
    game = abort(user=alice, game_id=game.public_id, now=NOW)
    assert (game.status, game.winner, game.termination, game.annulled) == ("finished", None, "aborted", True)
    answer = api_of(alice).get(f"/games/{game.public_id}")
    assert answer.json()["outcome"] == {"winner": None, "termination": "aborted", "result": "*"}
    assert '[Result "*"]' in api_of().get(f"/games/{game.public_id}.pdn").content.decode()


def test_no_game_is_aborted_once_both_have_moved(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob, **LIVE), "11-15", "22-18")
    with pytest.raises(Conflict):
        abort(user=alice, game_id=game.public_id, now=NOW)


def test_no_slow_game_is_aborted(alice: User, bob: User) -> None:
    with pytest.raises(Conflict):
        abort(user=alice, game_id=make_game(alice, bob).public_id, now=NOW)


def test_an_opponent_is_given_time_in_turn_or_not(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob, **LIVE), "11-15", "22-18")
    game = give_time(user=bob, game_id=game.public_id, now=NOW)
    assert (game.first_left, game.deadline_at) == (315 * SECOND, NOW + 315 * SECOND)
    game = give_time(user=alice, game_id=game.public_id, now=NOW)
    assert (game.second_left, game.deadline_at) == (315 * SECOND, NOW + 315 * SECOND)


def test_no_time_is_given_in_slow_games(alice: User, bob: User) -> None:
    with pytest.raises(Conflict):
        give_time(user=alice, game_id=make_game(alice, bob).public_id, now=NOW)


def test_games_of_a_contest_are_neither_aborted_nor_given_time(alice: User, bob: User) -> None:
    contest = Contest("tournament", "t1", "Open")
    options = GameOptions(variant="american", colour="first", **LIVE)
    game = start_game(first=alice, second=bob, options=options, now=NOW, dice=Random(1), contest=contest)
    for act in (abort, give_time):
        with pytest.raises(Conflict):
            act(user=alice, game_id=game.public_id, now=NOW)
