"""A whole game on a board of each family: by mouse, and with JavaScript off."""

from __future__ import annotations

import io
from functools import cache
from random import Random

import pytest
from playwright.sync_api import expect

import crownhead
from crownhead import VARIANTS, Colour, Game, Move, Position
from crownhead.server.play.touch import touch
from tests.browser.conftest import Seat
from tests.browser.visitors import PATIENCE, Visitor

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SEEDS, LONGEST = 200, 200
# 10 by 10, 12 by 12, 10 by 8; every square; lines; marked men; all one way; captures in eight directions.
FAMILIES = (
    "international canadian spantsiretti turkish dameo hawaiian alquerque parachute mule one-way frisian"
).split()
PLAIN = "turkish hawaiian alquerque parachute".split()


@cache
def short_game(key: str) -> Game:
    """The shortest of many random games that came to an end."""
    return min(
        (game for seed in range(SEEDS) if (game := random_game(key, seed))), key=lambda game: len(game.moves)
    )


def random_game(key: str, seed: int) -> Game | None:
    dice, game = Random(seed), Game(key)
    while game.outcome() is None:
        if len(game.moves) == LONGEST:
            return None
        game.push(dice.choice(game.position.legal_moves()))
    return game


@pytest.mark.parametrize("key", FAMILIES)
def test_a_whole_game_is_played_by_mouse(seat: Seat, key: str) -> None:
    first, second = seat(f"{key[:10]}-first"), seat(f"{key[:10]}-second")

    play(first, second, key)


@pytest.mark.parametrize("key", PLAIN)
def test_a_whole_game_is_played_without_javascript(seat: Seat, key: str) -> None:
    first = seat(f"{key[:9]}-plain-1", java_script_enabled=False)
    second = seat(f"{key[:9]}-plain-2", java_script_enabled=False)

    play(first, second, key)


def play(first: Visitor, second: Visitor, key: str) -> None:
    """Sit down, make every move on the board, and look at the end and the record."""
    game = short_game(key)
    sides = {Colour.BLACK: VARIANTS[key].dark_name, Colour.WHITE: "White"}
    page = first.offer(game.variant.name, f"{sides[game.variant.start.first]}, first")
    second.take_from_waiting_room(first.name)
    players = {game.variant.start.first: first, game.variant.start.first.opponent: second}
    for ply, (before, move) in enumerate(zip(game.positions, game.moves, strict=False), start=1):
        player = players[before.turn]
        if not player.scripted:
            player.go(page)
        player.expect_turn()
        make(player, before, move)
        player.expect_move_made(ply)
    assert_over(first, page, game)
    assert_over(second, page, game)


def make(player: Visitor, before: Position, move: Move) -> None:
    """Touch the piece and the squares that it does not find by itself, and submit the move."""
    moves = before.legal_moves()
    path: tuple[int, ...] = ()
    while path != move.path:
        square = move.path[len(path)]
        player.square(square).click()
        path = touch(moves, path).after(square)
    expect(player.field).to_have_value(before.notation(move))
    player.page.get_by_role("button", name="Submit").click()


def assert_over(player: Visitor, page: str, game: Game) -> None:
    """The page says who has won, and gives out the record."""
    outcome = game.outcome()
    assert outcome is not None
    player.go(page)
    if outcome.winner is None:
        expect(player.status).to_contain_text("Draw")
    else:
        side = "White" if outcome.winner is Colour.WHITE else game.variant.dark_name
        expect(player.status).to_contain_text(f"{side} wins", timeout=PATIENCE)
    answer = player.page.request.get(f"{player.address}{page.rstrip('/')}.pdn")
    assert answer.ok
    (record,) = crownhead.pdn.read(io.StringIO(answer.text()), variant=game.variant.key)
    assert isinstance(record, Game)
    assert record.moves == game.moves
