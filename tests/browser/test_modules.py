"""The pure modules of the board element, run where they run: in Chromium."""

from __future__ import annotations

import random
from typing import Any

import pytest

from crownhead import VARIANTS, Colour, Move, PieceKind, Position, Setup
from crownhead.notation import fen
from crownhead.rules.geometry import square_name, squares
from crownhead.server.play.arrangement import kinds
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


def places(key: str) -> list[dict[str, object]]:
    """The squares of a variant with both their names."""
    row = VARIANTS[key]
    return [
        {
            "number": at.number,
            "name": at.name,
            "algebraic": square_name(at.file, at.rank, row.board, row.notation),
            "row": row.board.height - 1 - at.rank,
            "column": at.file,
        }
        for at in squares(row.board, row.notation).values()
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


def test_a_typed_move_is_found_however_it_is_joined_and_called(seat: Seat) -> None:
    moves = as_data(Position.from_fen("W:W26:B22,14,6,7,28").legal_moves())
    asked = ["26x17x10x1", "26 17 10 1", "26-1", "26x3", "c1xe7", "c1xg7xx", "26x17", "", "x", "1-26"]

    found = run(
        seat,
        "moves",
        "(it, [moves, squares, asked]) => asked.map((text) => it.typed(moves, text, squares))",
        [moves, places("american"), asked],
    )

    long = [26, 17, 10, 1]
    assert found == [long, long, long, [26, 17, 10, 3], [], [], [], [], [], []]


def test_a_typed_move_may_name_its_squares_by_file_and_rank(seat: Seat) -> None:
    moves = as_data(Position.start("american").legal_moves())

    found = run(
        seat,
        "moves",
        "(it, [moves, squares]) => ['c3-d4', 'C3 D4', 'a1-b2'].map((text) => it.typed(moves, text, squares))",
        [moves, places("american")],
    )

    assert found == [[11, 15], [11, 15], []]


@pytest.mark.parametrize("key", VARIANTS)
def test_a_position_that_was_set_up_is_written_as_the_library_writes_it(seat: Seat, key: str) -> None:
    dice, row = random.Random(key), VARIANTS[key]
    letters = {PieceKind.MAN: "M", PieceKind.KING: "K", PieceKind.MULE: "U", PieceKind.PARACHUTIST: "P"}
    chosen = dice.sample(range(1, row.board.squares + 1), row.board.squares // 3)
    pieces = {number: dice.choice(kinds(row)) for number in chosen}
    turn = dice.choice(list(Colour))
    names = {at.number: at.name for at in squares(row.board, row.notation).values()}

    told = run(
        seat,
        "fen",
        """async (it, [turn, pieces, names]) => {
          const { read } = await import("/static/crownhead/js/board/state.js");
          return it.written(turn, read(pieces), (square) => names[square]);
        }""",
        [
            turn.value,
            {str(at): piece.colour.letter + letters[piece.kind] for at, piece in pieces.items()},
            {str(number): name for number, name in names.items()},
        ],
    )

    assert told == fen.write(Setup(key, turn, pieces))


@pytest.mark.parametrize(
    "text",
    ["W:WK46,28:BK5,7:+1+2", "B:WK46,K28:BK5,K7:+1@7+2@46", "W:WK46,K28:B7:+0+3@28", "W:WK46,28:B7:+0+0"],
)
def test_a_king_that_has_run_is_written_for_as_long_as_it_stands(seat: Seat, text: str) -> None:
    setup = fen.read(text, "frisian")
    pieces = {at: piece.colour.letter + piece.kind.value[0].upper() for at, piece in setup.pieces.items()}
    runs = {colour.value: [run.square, run.steps] for colour, run in setup.king_runs.items()}
    fewer = {at: code for at, code in pieces.items() if code != "WK"}

    told, without = run(
        seat,
        "fen",
        """async (it, [turn, boards, runs]) => {
          const { read } = await import("/static/crownhead/js/board/state.js");
          return boards.map((pieces) => it.written(turn, read(pieces), String, runs));
        }""",
        [setup.turn.value, [pieces, fewer], runs],
    )

    assert told == fen.write(setup)
    assert without.endswith("+0") or ":+" not in without


def test_moves_are_respelled_by_file_and_rank_and_back(seat: Seat) -> None:
    texts = ["11-15", "22x15x8", "White jumps 15 to 8, takes 11.", "The start of the game."]

    told = run(
        seat,
        "spelling",
        """(it, [texts, squares, lettered]) => [
          texts.map(it.speller(squares, "algebraic")),
          texts.map(it.speller(squares, "own")),
          it.speller(lettered, "algebraic")("a3-a4"),
        ]""",
        [texts, places("american"), places("turkish")],
    )

    respelled = ["c3-d4", "f6xd4xb2", "White jumps d4 to b2, takes c3.", "The start of the game."]
    assert told == [respelled, texts, "a3-a4"]


def test_a_move_chosen_beforehand_comes_true_if_it_is_legal(seat: Seat) -> None:
    moves = as_data(Position.from_fen("W:W26,12:B22,14,6,28").legal_moves())

    paths = run(
        seat,
        "premove",
        "(it, moves) => [[26, 1], [26, 17], [12, 8], [26, 3]].map((chosen) => it.comeTrue(moves, chosen))",
        moves,
    )

    assert paths == [[26, 17, 10, 1], [26, 17, 10, 1], [], []]


def test_choosing_beforehand_takes_a_piece_then_a_square_then_nothing(seat: Seat) -> None:
    chosen = run(
        seat,
        "premove",
        """(it) => {
          const pieces = new Map([[11, {colour: "black"}], [12, {colour: "black"}], [23, {colour: "white"}]]);
          const after = (chosen, square) => it.beforehand(chosen, square, pieces, "black");
          const asked = [[[], 23], [[], 11], [[11], 12], [[11], 11], [[11], 15], [[11, 15], 11]];
          const on = [[[11, 18], 25], [[11, 18], 23], [[11, 18, 25], 18]];
          return [...asked, ...on].map(([chosen, square]) => after(chosen, square));
        }""",
    )

    assert chosen == [[], [11], [12], [], [11, 15], [], [11, 18, 25], [], []]


def test_of_captures_that_end_alike_the_one_whose_squares_were_chosen_comes_true(seat: Seat) -> None:
    ways = [[5, 14, 23, 32], [5, 16, 23, 32], [5, 14, 21]]

    paths = run(
        seat,
        "premove",
        """(it, ways) => {
          const moves = ways.map((path) => ({path, captures: [], kinds: "", notation: ""}));
          const asked = [[5, 32], [5, 14, 32], [5, 16, 23], [5, 23, 14], [5, 21]];
          return asked.map((chosen) => it.comeTrue(moves, chosen));
        }""",
        ways,
    )

    assert paths == [[], ways[0], ways[1], [], ways[2]]


def test_a_walk_is_quick_however_long_it_is(seat: Seat) -> None:
    times = run(seat, "motion", "(it) => [1, 2, 3, 4, 9].map((hops) => [hops, it.hopTime(hops) * hops])")

    assert all(150 <= whole / hops <= 200 for hops, whole in times if hops < 4)
    assert all(whole <= 600 for _hops, whole in times)


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
