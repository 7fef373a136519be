"""Games at other paces than days a move: Fischer's clock, and a bank of hours."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.core import clock
from crownhead.server.play.games.options import BankClock, LiveClock
from crownhead.server.play.games.services.deadlines import end_overdue_games
from crownhead.server.play.models import Game
from tests.server.play.factories import NOW, api_of, fresh, make_game, play_moves, slug

pytestmark = pytest.mark.django_db
SECOND, HOUR = timedelta(seconds=1), timedelta(hours=1)
FIVE_AND_THREE: dict[str, Any] = {"days_per_move": None, "clock": LiveClock(initial=300, increment=3)}
BANK: dict[str, Any] = {"days_per_move": None, "clock": BankClock(time=72, bonus=12, limit=96)}
TERMS = {"variant": "american", "colour": "first"}


def test_a_live_clock_runs_for_the_player_on_turn_only(alice: User, bob: User) -> None:
    game = make_game(alice, bob, **FIVE_AND_THREE)
    assert game.deadline_at == NOW + 320 * SECOND
    game = play_moves(game, "11-15", now=NOW + 30 * SECOND)
    assert (game.first_left, game.second_left) == (293 * SECOND, 300 * SECOND)
    assert game.deadline_at == NOW + 350 * SECOND
    game = play_moves(game, "22-18", now=NOW + 110 * SECOND)
    assert (game.first_left, game.second_left) == (293 * SECOND, 243 * SECOND)
    assert game.deadline_at == NOW + (110 + 293) * SECOND
    assert game.remind_at is None


def test_the_clock_waits_for_the_first_move_of_each_side_and_for_no_other(alice: User, bob: User) -> None:
    game = make_game(alice, bob, **FIVE_AND_THREE)
    game = play_moves(game, "11-15", now=NOW + 20 * SECOND)
    game = play_moves(game, "22-18", now=NOW + 40 * SECOND)
    assert (game.first_left, game.second_left) == (303 * SECOND, 303 * SECOND)
    assert play_moves(game, "15x22", now=NOW + 60 * SECOND).first_left == 286 * SECOND


def test_the_clock_waits_too_after_the_moves_of_a_ballot(alice: User, bob: User) -> None:
    game = make_game(alice, bob, variant="pro", **FIVE_AND_THREE)
    assert game.deadline_at == NOW + 320 * SECOND


def test_a_live_game_is_lost_on_the_dot(alice: User, bob: User) -> None:
    game = make_game(alice, bob, **FIVE_AND_THREE)
    out = NOW + 320 * SECOND
    assert end_overdue_games(now=out - timedelta(milliseconds=1)) == 0
    end_overdue_games(now=out + SECOND)
    game = fresh(game)
    assert (game.termination, game.ended_at, game.first_left) == ("time", out, timedelta(0))


def test_a_bank_of_hours_grows_up_to_its_limit(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob, **BANK), "11-15", now=NOW + HOUR)
    assert (game.first_left, game.deadline_at) == (83 * HOUR, NOW + 73 * HOUR)
    game = play_moves(game, "22-18", now=NOW + HOUR)
    game = play_moves(game, "15x22", now=NOW + HOUR)
    assert (game.first_left, game.second_left) == (95 * HOUR, 84 * HOUR)
    assert play_moves(game, "25x18", "8-11", now=NOW + HOUR).first_left == 96 * HOUR


def test_the_api_offers_and_shows_a_live_game(alice: User, bob: User) -> None:
    made = api_of(alice).post("/games", TERMS | {"clock": {"initial": 300, "increment": 3}})
    assert made.status_code == 201, made.content
    game = json.loads(made.content)
    assert (game["pace"], game["days_per_move"]) == ("live", None)
    assert game["clock"] == {"initial": 300, "increment": 3}
    api_of(bob).post(f"/waiting-room/{game['id']}/join")
    with clock.stopped(NOW + 32 * SECOND):
        body = json.loads(api_of().get(f"/games/{game['id']}").content)
    assert body["time_left"] == {"first": 288, "second": 300}
    assert "300 + 3 seconds" in api_of().get(f"/games/{game['id']}.pdn").content.decode()


def test_the_api_offers_and_shows_a_bank(alice: User) -> None:
    terms = TERMS | {"clock": {"time": 72, "bonus": 12, "limit": 96}, "weekends_off": True, "vacation": True}
    game = json.loads(api_of(alice).post("/games", terms).content)
    assert (game["pace"], game["clock"]) == ("bank", {"time": 72, "bonus": 12, "limit": 96})
    assert (game["weekends_off"], game["vacation"]) == (True, True)
    assert game["time_left"] == {"first": 72 * 3600, "second": 72 * 3600}


@pytest.mark.parametrize(
    "wrong",
    [
        {"clock": {"initial": 300}, "days_per_move": 3},
        {"clock": {"initial": 0}},
        {"clock": {"initial": -1}},
        {"clock": {"initial": 10**6}},
        {"clock": {"initial": 300, "increment": 999}},
        {"clock": {"initial": 300, "limit": 2}},
        {"clock": {"time": 0, "bonus": 1, "limit": 1}},
        {"clock": {"time": 72, "bonus": 1, "limit": 71}},
        {"clock": {"time": 72, "bonus": 1}},
        {"clock": "fast"},
        {"vacation": True, "clock": {"initial": 300}},
        {"weekends_off": True, "clock": {"initial": 300}},
    ],
)
def test_a_clock_that_makes_no_sense_is_refused(alice: User, wrong: dict[str, Any]) -> None:
    answer = api_of(alice).post("/games", TERMS | wrong)
    assert (answer.status_code, slug(answer)) == (422, "unprocessable")
    assert next(iter(wrong)) in json.loads(answer.content)["detail"]
    assert not Game.objects.exists()
