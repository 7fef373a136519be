"""The pure modules of the board element, run where they run: in Chromium."""

from __future__ import annotations

import random
from typing import Any

import pytest

from crownhead import VARIANTS, Move, Position
from crownhead.server.play.touch import touch
from tests.browser.conftest import Seat

pytestmark = pytest.mark.browser

GAMES, PLIES = 6, 80


def run(seat: Seat, module: str, script: str, argument: object = None) -> Any:
    """What a function of a module's exports, called ``it``, and an argument answers."""
    guest = seat()
    guest.go("/rules/")
    load = f"import('/static/crownhead/js/board/{module}.js')"
    return guest.page.evaluate(f"async (argument) => ({script})(await {load}, argument)", argument)


def positions(seed: int) -> list[Position]:
    """Positions with captures from random games of every variant."""
    dice, found = random.Random(seed), []
    for key in VARIANTS:
        for _ in range(GAMES):
            position = Position.start(key)
            for _ in range(PLIES):
                moves = position.legal_moves()
                if not moves:
                    break
                if any(len(move.captures) > 1 for move in moves):
                    found.append(position)
                position = position.play(dice.choice(moves))
    return found


def as_data(moves: tuple[Move, ...]) -> list[dict[str, object]]:
    return [
        {"notation": f"no. {at}", "path": move.path, "captures": move.captures, "kinds": "M" * len(move.path)}
        for at, move in enumerate(moves)
    ]


def test_touching_squares_leads_to_the_same_with_and_without_javascript(seat: Seat) -> None:
    asked = []
    for position in positions(seed=1841):
        moves = position.legal_moves()
        for path in sorted({move.path[:length] for move in moves for length in range(1, len(move.path) + 1)}):
            targets = {str(square): list(way) for square, way in touch(moves, path).targets.items()}
            asked.append({"moves": as_data(moves), "path": path, "targets": targets})
    assert len(asked) > 500

    told = run(
        seat,
        "moves",
        "(it, asked) => asked.map(({moves, path}) => Object.fromEntries(it.targets(moves, path)))",
        asked,
    )

    assert told == [question["targets"] for question in asked]


def test_every_legal_move_can_be_touched_together(seat: Seat) -> None:
    boards = [as_data(position.legal_moves()) for position in positions(seed=1842)]

    missed = run(
        seat,
        "moves",
        """(it, boards) => boards.flatMap((moves) => moves.filter((move) => {
          let path = [];
          while (path.length < move.path.length) {
            path = it.touched(moves, path, move.path[path.length]);
            if (!path.length) return true;
          }
          return it.finished(moves, path)?.notation !== move.notation;
        }))""",
        boards,
    )

    assert missed == []


def test_a_typed_move_is_found_however_it_is_joined(seat: Seat) -> None:
    moves = as_data(Position.from_fen("W:W26:B22,14,6,7,28").legal_moves())

    found = run(
        seat,
        "moves",
        "(it, moves) => ['26x17x10x1', '26 17 10 1', '26-1', '26x3', '26x17', '', 'x', '1-26'].map("
        "(text) => it.typed(moves, text, String))",
        moves,
    )

    assert found == [[26, 17, 10, 1], [26, 17, 10, 1], [26, 17, 10, 1], [26, 17, 10, 3], [], [], [], []]


def test_arrows_lead_back_to_where_they_came_from(seat: Seat) -> None:
    strayed = run(
        seat,
        "geometry",
        """(it) => {
          const squares = [];
          for (let row = 0; row < 8; row += 1)
            for (let column = (row + 1) % 2; column < 8; column += 2)
              squares.push({number: squares.length + 1, name: "", row, column});
          const back = {up: "down", down: "up", left: "right", right: "left"};
          return squares.flatMap(({number}) => Object.keys(back).filter((way) => {
            const there = it.neighbour(squares, number, way);
            return there !== number && it.neighbour(squares, there, back[way]) !== number;
          }));
        }""",
    )

    assert strayed == []


def test_a_half_made_capture_takes_only_what_it_has_passed(seat: Seat) -> None:
    shown = run(
        seat,
        "state",
        """(it) => {
          const pieces = it.read({26: "WM", 22: "BM", 14: "BK", 6: "BM"});
          const move = {notation: "", path: [26, 17, 10, 1], captures: [22, 14, 6], kinds: "MMMK"};
          const half = it.along(pieces, move, [26, 17, 10]);
          const whole = it.along(pieces, move, move.path);
          return [[...half.pieces.keys()], [...half.taken.keys()], whole.pieces.get(1).kind, pieces.size];
        }""",
    )

    assert shown == [[6, 10], [22, 14], "king", 4]
