"""Offering a game."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.core.problems import Unprocessable
from crownhead.server.play import problems
from crownhead.server.play.models import Game
from tests.server.play.factories import NOW, api_of, make_offer, slug

pytestmark = pytest.mark.django_db
TERMS = {"variant": "american", "colour": "first", "days_per_move": 3}


def test_a_new_game_waits_with_its_creator_on_the_chosen_side(alice: User) -> None:
    first, second, random = (make_offer(alice, colour=colour) for colour in ("first", "second", "random"))
    assert (first.first_player, first.second_player) == (alice, None)
    assert (second.first_player, second.second_player) == (None, alice)
    assert (random.first_player, random.second_player) == (None, None)
    assert {game.status for game in (first, second, random)} == {"waiting"}


def test_a_new_game_waits_for_fourteen_days_and_no_clock_runs(alice: User) -> None:
    game = make_offer(alice)
    assert game.expires_at == NOW + timedelta(days=14)
    assert (game.turn, game.deadline_at, game.version) == (None, None, 0)


def test_the_creator_with_the_first_side_may_move_at_once(alice: User) -> None:
    game = make_offer(alice, first_move="11-15")
    assert (game.moves, game.version, game.status, game.deadline_at) == ("11-15", 1, "waiting", None)


@pytest.mark.parametrize("colour", ["second", "random"])
def test_only_the_creator_with_the_first_side_may_move_at_once(alice: User, colour: str) -> None:
    with pytest.raises(Unprocessable, match="first_move"):
        make_offer(alice, colour=colour, first_move="11-15")


def test_an_illegal_first_move_makes_no_game(alice: User) -> None:
    with pytest.raises(problems.IllegalMove, match="11-14"):
        make_offer(alice, first_move="11-14")
    assert not Game.objects.exists()


def test_a_drawn_opening_leaves_no_first_move_to_make(alice: User) -> None:
    with pytest.raises(Unprocessable, match="drawn when the game starts"):
        make_offer(alice, variant="pro", first_move="11-15")


def test_the_hosts_limit_of_games_at_once_is_kept(alice: User, settings: Any) -> None:
    settings.GAMES_PER_PLAYER = 2
    make_offer(alice)
    make_offer(alice)
    with pytest.raises(problems.TooManyGames, match="2 games"):
        make_offer(alice)
    assert Game.objects.count() == 2


def test_the_api_answers_a_new_game_with_201_and_the_game(alice: User) -> None:
    answer = api_of(alice).post("/games", TERMS)
    game = json.loads(answer.content)
    assert answer.status_code == 201
    assert game["id"] == Game.objects.get().public_id
    assert (
        game
        | {
            "variant": "american",
            "status": "waiting",
            "turn": None,
            "version": 0,
            "moves": [],
            "players": {"first": {"username": "alice"}, "second": None},
            "outcome": None,
            "draw_offer": None,
            "legal_moves": [],
            "deadline": None,
            "draw_rules": "official",
            "first_colour": "black",
        }
        == game
    )
    assert game["start"] == game["fen"]


def test_every_variant_can_be_offered(alice: User) -> None:
    listed = json.loads(api_of().get("/variants").content)
    assert len(listed) >= 10
    for variant in listed:
        answer = api_of(alice).post("/games", TERMS | {"variant": variant["key"]})
        assert answer.status_code == 201, answer.content
        assert json.loads(answer.content)["start"] == variant["start"]


def test_a_guest_cannot_offer_a_game() -> None:
    answer = api_of().post("/games", TERMS)
    assert (answer.status_code, slug(answer)) == (401, "not-signed-in")


@pytest.mark.parametrize(
    "wrong",
    [
        {"variant": "chess"},
        {"variant": "english"},  # an alias: rows hold keys
        {"variant": 7},
        {"variant": None},
        {"colour": "red"},
        {"colour": None},
        {"days_per_move": 0},
        {"days_per_move": 15},
        {"days_per_move": 10**30},
        {"days_per_move": "3"},
        {"days_per_move": 2.5},
        {"days_per_move": True},
        {"days_per_move": None},
        {"draw_rules": "mine"},
        {"rated": 1},
        {"hidden": "yes"},
        {"opponent": "nobody"},
        {"opponent": "alice"},
        {"opponent": "@"},
        {"games": 0},
        {"games": 21},
        {"games": "1"},
        {"wins": 1},
        {"wins": 11},
        {"wins": 3, "games": 4},
        {"max_rating": 9000},
        {"max_rating": 1200, "min_rating": 1300},
        {"first_move": "11-15", "games": 2},
        {"opening": "the best", "opponent": "bob"},
        {"clock": {"minutes": 5}},
        {"opening": "12"},
        {"first_move": "11-14"},
        {"first_move": 1115},
        {"first_move": ""},
        {"color": "first"},
    ],
)
def test_terms_that_make_no_sense_are_refused(alice: User, bob: User, wrong: dict[str, Any]) -> None:
    answer = api_of(alice).post("/games", TERMS | wrong)
    assert answer.status_code == 422
    assert next(iter(wrong)) in json.loads(answer.content)["detail"]
    assert slug(answer) in {"unprocessable", "illegal-move"}
    assert not Game.objects.exists()


def test_terms_given_at_their_only_value_are_accepted(alice: User) -> None:
    more = {"rated": False, "opponent": None, "games": 1, "clock": None, "opening": "random"}
    assert api_of(alice).post("/games", TERMS | more | {"variant": "pro"}).status_code == 201
