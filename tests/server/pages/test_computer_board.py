"""The page on which the visitor's browser plays the computer, and keeping such a game in an account."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import pytest

import crownhead
from crownhead import VARIANTS
from crownhead.notation.moves import write_full
from crownhead.server.accounts.models import User
from crownhead.server.play.models import Game
from tests.server.pages.conftest import Open
from tests.server.play.factories import make_game, play_moves

pytestmark = pytest.mark.django_db


def data(html: str) -> Any:
    """What the page hands to its script."""
    found = re.search(r'<script id="computer" type="application/json">(.*?)</script>', html)
    assert found is not None
    return json.loads(found[1])


@pytest.mark.parametrize("key", VARIANTS)
def test_every_variant_has_its_board_and_an_end_in_words(window: Open, key: str) -> None:
    page = window().get(f"/computer/?variant={key}&level=10&colour=second")
    told = data(page.html)
    variant = VARIANTS[key]
    assert (told["variant"], told["level"]) == (key, 10)
    assert told["mine"] == variant.start.first.opponent.value
    assert told["rules"] == f"/api/v1/variants/{key}/rules"
    assert {f"{word}:no-moves" for word in ("won", "lost")} <= told["texts"].keys()


def test_the_side_that_begins_finds_the_legal_moves_on_the_board(window: Open) -> None:
    assert '"legal": [{' in window().get("/computer/").html
    assert '"legal": []' in window().get("/computer/?colour=second").html


def test_a_man_crowned_amid_its_move_goes_on_as_a_king_where_the_law_has_that(window: Open) -> None:
    russian = data(window().get("/computer/?variant=russian").html)["crowning"]
    assert russian == {"black": [29, 30, 31, 32], "white": [1, 2, 3, 4]}
    assert data(window().get("/computer/").html)["crowning"] == {}


def test_the_script_knows_how_often_a_king_may_step_in_a_row(window: Open) -> None:
    assert data(window().get("/computer/?variant=frisian").html)["kingRun"] == 3
    assert data(window().get("/computer/").html)["kingRun"] == 0


def test_a_random_side_is_drawn(window: Open) -> None:
    there = window().get("/computer/?colour=random&level=5").location
    assert re.fullmatch(r"/computer/\?variant=american&level=5&colour=(first|second)&new=1", there)


def test_a_game_can_begin_from_a_position(window: Open) -> None:
    told = data(window().get("/computer/?fen=W:W22:B4").html)
    assert told["fen"] == "W:W22:B4"
    page = window().get("/computer/?fen=nonsense")
    assert page.status == 422
    assert data(page.html)["fen"] == ""


def test_no_game_begins_from_the_position_of_a_running_game(window: Open, alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15", "23-19", "8-11", "22-17", "4-8", "17-13")
    fen = crownhead.Game(opening=game.moves.split()).position.fen()
    page = window(alice).get(f"/computer/?fen={fen}")
    assert page.status == 403
    assert "while your game is in progress" in page.text
    assert window().get(f"/computer/?fen={fen}").status == 200


def keep(window: Open, user: User | None, moves: str, **terms: str) -> Any:
    form = {"variant": "american", "level": "3", "colour": "first", "moves": moves, **terms}
    return (
        window(user).post("/computer/keep/", form, follow=True)
        if user
        else window().post("/computer/keep/", form)
    )


def test_a_member_goes_on_with_the_game_in_their_account(window: Open, alice: User) -> None:
    page = keep(window, alice, "11-15 23-19 8-11", colour="second", level="7")
    game = Game.objects.get()
    assert (game.moves, game.version, game.turn) == ("11-15 23-19 8-11", 3, "second")
    assert (game.second_player, game.rated, game.status) == (alice, False, "playing")
    assert "computer, level 7" in page.text


@pytest.mark.parametrize(
    ("moves", "terms", "sentence"),
    [
        ("11-15 11-15", {}, "11-15"),
        ("11-15 " * 500, {}, "At most 400 moves can be kept."),
        ("11-15", {"fen": "W:W22:B4"}, "Only games from the usual start can be kept."),
        (
            "11-15",
            {"variant": "pro"},
            "Games of this variant begin with a random opening, so no moves can be made beforehand.",
        ),
    ],
)
def test_what_cannot_be_kept_is_said(
    window: Open, alice: User, moves: str, terms: dict[str, str], sentence: str
) -> None:
    assert sentence in keep(window, alice, moves, **terms).text
    assert not Game.objects.exists()


def test_a_game_that_is_over_is_not_kept(window: Open, alice: User) -> None:
    record, dice = crownhead.Game("anti"), Random(7)
    while record.outcome() is None:
        record.push(dice.choice(record.position.legal_moves()))
    moves = " ".join(map(write_full, record.positions, record.moves))
    assert "This game is over already." in keep(window, alice, moves, variant="anti").text


def test_who_is_not_signed_in_is_asked_to(window: Open) -> None:
    assert "/accounts/login/" in keep(window, None, "11-15").location
