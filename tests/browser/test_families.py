"""A whole game on a board of each family: by mouse, by touch, by keys, and with JavaScript off.

In CI a board of each grid is played whole by touch, by keys or without JavaScript, and one family by mouse;
the first plies are made by mouse on the boards of the others, and in each way on a board of each grid and on
the widest of all. The night plays everything whole.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Collection, Iterable
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

import crownhead
from crownhead import VARIANTS, Colour, Game, Move, Position
from crownhead.rules.geometry import squares
from crownhead.rules.schema import Grid
from crownhead.server.play.presenters.board.touch import touch
from tests.browser.conftest import NewVisitor
from tests.browser.pointer import drag_by_touch
from tests.browser.test_whole_game import tab_to
from tests.browser.visitors import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Make = Callable[[Visitor, Position, Move], None]

GAMES = Path(__file__).with_name("whole_games.pdn")
# 10 by 10, 12 by 12, 10 by 8; every square; lines; marked men; all one way; captures in eight directions.
FAMILIES = (
    "international canadian spantsiretti turkish dameo hawaiian alquerque parachute mule one-way frisian"
).split()
# One of each shape: for the ways to play that differ by the board and not by the laws.
SHAPES = "international canadian spantsiretti turkish hawaiian alquerque parachute".split()
WIDEST = "canadian"
# What CI plays whole.
BY_MOUSE = {"dameo"}
BY_KEYS, BY_TOUCH, PLAIN = "spantsiretti", "turkish", "alquerque"
OF_EACH_GRID = (BY_KEYS, BY_TOUCH, PLAIN)
SOME_PLIES = 2
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
WINDOWS: dict[str, dict[str, Any]] = {
    "mouse": {},
    "touch": PHONE,
    "keys": {},
    "plain": {"java_script_enabled": False},
}
# What is not played whole in a way, but begun.
BEGUN = [
    *(("mouse", key) for key in (PLAIN, WIDEST, "hawaiian", "parachute", "mule", "one-way", "frisian")),
    *(("touch", key) for key in (BY_KEYS, PLAIN, WIDEST)),
    *(("keys", key) for key in (BY_TOUCH, PLAIN, WIDEST)),
    *(("plain", key) for key in (BY_KEYS, BY_TOUCH, WIDEST)),
]


def in_ci(keys: Iterable[str], chosen: Collection[str]) -> pytest.MarkDecorator:
    """Some variants for CI, and the others for the night."""
    rows = [pytest.param(key, marks=() if key in chosen else pytest.mark.nightly) for key in keys]
    return pytest.mark.parametrize("key", rows)


@cache
def whole_games() -> dict[str, Game]:
    """A short game of each variant, which one side loses as fast as it can."""
    return {game.variant.key: game for game in crownhead.pdn.read(GAMES) if isinstance(game, Game)}


@pytest.mark.parametrize("key", FAMILIES)
def test_the_sample_game_of_each_family_is_finished(key: str) -> None:
    assert whole_games()[key].outcome() is not None


def test_the_boards_of_ci_are_of_every_grid() -> None:
    assert {VARIANTS[key].board.grid for key in OF_EACH_GRID} == set(Grid)
    by_mouse = {*BY_MOUSE, *(key for way, key in BEGUN if way == "mouse")}
    assert {VARIANTS[key].board.grid for key in by_mouse} == set(Grid)
    # Frisian draughts has the board, kings and captures of the international game, and more.
    assert {*FAMILIES} - BY_MOUSE - {*OF_EACH_GRID} - {key for _, key in BEGUN} == {"international"}
    assert {VARIANTS[key].board for key in ("frisian", "international")} == {VARIANTS["frisian"].board}
    assert VARIANTS[WIDEST].board.width == max(row.board.width for row in VARIANTS.values())


@in_ci(FAMILIES, BY_MOUSE)
def test_a_whole_game_is_played_by_mouse(new_visitor: NewVisitor, key: str) -> None:
    first, second = new_visitor(f"{key[:10]}-first"), new_visitor(f"{key[:10]}-second")

    play(first, second, key)


@in_ci(SHAPES, {BY_TOUCH})
def test_a_whole_game_is_played_by_touch(new_visitor: NewVisitor, key: str) -> None:
    first, second = new_visitor(f"{key[:9]}-touch-1", **PHONE), new_visitor(f"{key[:9]}-touch-2", **PHONE)

    play(first, second, key, make=touch_and_drag)


@in_ci(SHAPES, {BY_KEYS})
def test_a_whole_game_is_played_by_keys(new_visitor: NewVisitor, key: str) -> None:
    first, second = new_visitor(f"{key[:9]}-keys-1"), new_visitor(f"{key[:9]}-keys-2")

    play(first, second, key, make=press_keys)


@in_ci(SHAPES, {PLAIN})
def test_a_whole_game_is_played_without_javascript(new_visitor: NewVisitor, key: str) -> None:
    first = new_visitor(f"{key[:9]}-plain-1", java_script_enabled=False)
    second = new_visitor(f"{key[:9]}-plain-2", java_script_enabled=False)

    play(first, second, key)


@pytest.mark.parametrize(("way", "key"), BEGUN)
def test_the_first_plies_of_a_game_are_played(new_visitor: NewVisitor, way: str, key: str) -> None:
    window = WINDOWS[way]
    first, second = (new_visitor(f"{key[:7]}-{way}-b{side}", **window) for side in (1, 2))
    game, make = whole_games()[key], {"touch": touch_and_drag, "keys": press_keys}.get(way, click)

    page = start_game(first, second, game)
    make_moves(first, second, page, game, make=make, most=SOME_PLIES)

    assert game_of(second, page, key).moves == game.moves[:SOME_PLIES]


def play(first: Visitor, second: Visitor, key: str, *, make: Make | None = None) -> None:
    """Sit down, make every move on the board, and look at the end and the record."""
    game = whole_games()[key]
    page = (start_game_by_forms if make is None and first.has_javascript else start_game)(first, second, game)
    make_moves(first, second, page, game, make=make or click)
    assert_over(first, page, game, plays=game.variant.start.first)
    assert_over(second, page, game, plays=game.variant.start.first.opponent)


def make_moves(
    first: Visitor, second: Visitor, page: str, game: Game, *, make: Make, most: int | None = None
) -> None:
    """Make the moves of a game on the board, or the first of them, when the page says whose turn it is."""
    players = {game.variant.start.first: first, game.variant.start.first.opponent: second}
    moves = zip(game.positions, game.moves, strict=False)
    for ply, (before, move) in enumerate(islice(moves, most), start=1):
        player = players[before.turn]
        if not player.has_javascript:
            player.go(page)
        player.expect_turn()
        make(player, before, move)
        player.expect_move_made(ply)


def start_game_by_forms(first: Visitor, second: Visitor, game: Game) -> str:
    """One offers the game, the other takes it from the waiting room; its page."""
    sides = {Colour.BLACK: game.variant.dark_name, Colour.WHITE: "White"}
    page = first.offer(game.variant.name, f"{sides[game.variant.start.first]} (first)")
    second.take_from_waiting_room(first.name)
    return page


def start_game(first: Visitor, second: Visitor, game: Game) -> str:
    """The same by what programs send: how games are offered has tests of its own."""
    offer = {"variant": game.variant.key, "colour": "first", "days_per_move": 3}
    page = f"/games/{first.call('/games', offer)['id']}/"
    second.call(f"/waiting-room/{page.split('/')[2]}/join")
    for player in (first, second):
        player.go(page)
    return page


def click(player: Visitor, before: Position, move: Move) -> None:
    """Touch the piece and the squares that it does not find by itself, and submit the move."""
    for square in to_touch(before, move):
        player.press(player.square(square))
    expect(player.field).to_have_value(before.notation(move))
    player.press(player.submit)


def touch_and_drag(player: Visitor, before: Position, move: Move) -> None:
    """Drag the piece with a finger to its first square, and tap the others."""
    origin, *others = to_touch(before, move)
    if others:
        player.square(origin).scroll_into_view_if_needed()
        drag_by_touch(player, origin, others[0])
    else:
        player.square(origin).tap()
    for square in others[1:]:
        player.square(square).tap()
    expect(player.field).to_have_value(before.notation(move))
    player.submit.tap()


def press_keys(player: Visitor, before: Position, move: Move) -> None:
    """Name each square on the board, and go on to Submit by Tab."""
    keyboard, variant = player.page.keyboard, before.variant
    places = squares(variant.board, variant.notation)
    tab_to(player, "checkers-board button")
    for square in to_touch(before, move):
        keyboard.type(f".{places[square].name}" if variant.notation.algebraic else places[square].name)
        expect(player.square(square)).to_be_focused()
        keyboard.press("Enter")
    expect(player.field).to_have_value(before.notation(move))
    tab_to(player, ".submit-bar button")
    keyboard.press("Enter")


def to_touch(before: Position, move: Move) -> list[int]:
    """The squares that have to be touched: the rest of the way is found without a choice."""
    moves = before.notations()
    path: tuple[int, ...] = ()
    touched: list[int] = []
    while path != move.path:
        touched.append(move.path[len(path)])
        path = touch(moves, path).after(touched[-1])
    return touched


def assert_over(player: Visitor, page: str, game: Game, *, plays: Colour) -> None:
    """The page tells the player whether they won, and gives out the record."""
    outcome = game.outcome()
    assert outcome is not None
    player.go(page)
    if outcome.winner is None:
        expect(player.status).to_contain_text("Draw")
    else:
        expect(player.status).to_contain_text("You won" if outcome.winner is plays else "You lost")
    assert game_of(player, page, game.variant.key).moves == game.moves


def game_of(player: Visitor, page: str, variant: str) -> Game:
    """The record that the page gives out."""
    answer = player.page.request.get(f"{player.address}{page.rstrip('/')}.pdn")
    assert answer.ok
    (record,) = crownhead.pdn.read(io.StringIO(answer.text()), variant=variant)
    assert isinstance(record, Game)
    return record
