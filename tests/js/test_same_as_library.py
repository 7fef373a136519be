"""The board element's modules agree with the library: they are run by Deno, without a browser."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sysconfig
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from crownhead import VARIANTS, Colour, Game, Move, Piece, PieceKind, Position, Setup
from crownhead.notation import fen
from crownhead.rules.errors import IllegalPosition
from crownhead.rules.geometry import square_name, squares
from crownhead.server.pages.presenters.arrangement import kinds
from crownhead.server.play.presenters.board.boards import GameBoard
from crownhead.server.play.presenters.board.routes import all_routes
from crownhead.server.play.presenters.board.touch import touch
from crownhead.server.play.presenters.board.words import move_sentence
from tests.house.tree import HOUSE

GAMES, PLIES = 6, 80
CROWDED = 60  # arrangements a variant, of which some have long captures
DENO = Path(sysconfig.get_path("scripts")) / "deno"
LETTERS = {PieceKind.MAN: "M", PieceKind.KING: "K", PieceKind.MULE: "U", PieceKind.PARACHUTIST: "P"}


def answer(name: str, question: object) -> Any:
    """What `answer.js` says to a question."""
    done = subprocess.run(
        [DENO, "run", "--no-remote", "--no-npm", "--quiet", "tests/js/answer.js", name],
        cwd=HOUSE,
        env={**os.environ, "DENO_DIR": "build/deno", "DENO_NO_UPDATE_CHECK": "1"},
        input=json.dumps(question),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def positions(seed: int) -> list[Position]:
    """Positions with captures of several pieces, from random games of every variant."""
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


def crowded_positions(seed: int) -> list[Position]:
    """Positions in which a king can capture several pieces in many ways, of every variant that has them."""
    dice, found = random.Random(seed), []
    for key, row in VARIANTS.items():
        for _ in range(CROWDED):
            at, *others = dice.sample(range(1, row.board.squares + 1), max(8, row.board.squares // 3))
            pieces = {other: Piece(Colour.BLACK, PieceKind.KING) for other in others}
            king = {at: Piece(Colour.WHITE, PieceKind.KING)}
            try:
                position = Position.from_setup(Setup(key, Colour.WHITE, {**pieces, **king}))
            except IllegalPosition:  # a variant without kings
                continue
            if any(len(move.captures) > 2 for move in position.legal_moves()):
                found.append(position)
    return found


def as_data(moves: Iterable[Move]) -> list[dict[str, object]]:
    """Moves as a page hands them to a board."""
    return [
        {"notation": f"no. {at}", "path": move.path, "captures": move.captures, "kinds": "M" * len(move.path)}
        for at, move in enumerate(moves)
    ]


def written(position: Position) -> list[dict[str, object]]:
    """The legal moves by all their routes as a page hands them to a board, with their notation."""
    moves = position.notations()
    routes = all_routes(position, moves)
    return [{**data, "notation": moves[route]} for data, route in zip(as_data(routes), routes, strict=True)]


def board_squares(key: str) -> list[dict[str, object]]:
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


def test_touching_squares_leads_to_the_same_with_and_without_javascript() -> None:
    asked = []
    for position in positions(seed=1841):
        moves = position.notations()
        routes, rows = all_routes(position, moves), written(position)
        for path in sorted(
            {move.path[:length] for move in routes for length in range(1, len(move.path) + 1)}
        ):
            targets = {str(square): list(way) for square, way in touch(moves, path, routes).targets.items()}
            asked.append({"moves": rows, "path": path, "targets": targets})
    assert len(asked) > 500

    assert answer("targets", asked) == [question["targets"] for question in asked]


def test_every_capture_of_several_pieces_can_be_entered_in_every_way() -> None:
    found = [*positions(seed=1842), *crowded_positions(seed=1842)]
    boards = [{"moves": written(at), "squares": board_squares(at.variant.key)} for at in found]

    ways = answer("entered", boards)

    assert {way: result["failed"] for way, result in ways.items()} == {way: [] for way in ways}
    assert {way for way, result in ways.items() if result["tried"] < 100} == set()
    assert {at.variant.key for at in found} == {*VARIANTS}


def test_every_capture_of_several_pieces_can_be_entered_without_javascript() -> None:
    for position in [*positions(seed=1843), *crowded_positions(seed=1843)]:
        moves = position.notations()
        routes = all_routes(position, moves)
        for route in routes:
            path: tuple[int, ...] = ()
            for square in (*route.path, route.path[-1]):
                path = touch(moves, path, routes).after(square)
            assert touch(moves, path, routes).chosen == route, (position, route)


def test_a_typed_move_is_found_with_any_separator_and_either_name() -> None:
    texts = ["26x17x10x1", "26 17 10 1", "26-1", "26x3", "c1xe7", "c1xg7xx", "26x17", "", "x", "1-26"]
    texts += ["26x17x1", "26-10-1", "26x10x3", "26x10", "26x10x17x1"]

    found = answer(
        "typed",
        {
            "moves": as_data(Position.from_fen("W:W26:B22,14,6,7,28").legal_moves()),
            "squares": board_squares("american"),
            "texts": texts,
        },
    )

    long = [26, 17, 10, 1]
    other = [26, 17, 10, 3]
    assert found == [long, long, long, other, [], [], [], [], [], [], long, long, other, [], []]


def test_a_typed_move_may_name_its_squares_by_file_and_rank() -> None:
    found = answer(
        "typed",
        {
            "moves": as_data(Position.start("american").legal_moves()),
            "squares": board_squares("american"),
            "texts": ["c3-d4", "C3 D4", "a1-b2"],
        },
    )

    assert found == [[11, 15], [11, 15], []]


def test_a_position_that_was_set_up_is_written_as_the_library_writes_it() -> None:
    asked, expected = [], []
    for key, row in VARIANTS.items():
        dice = random.Random(key)
        chosen = dice.sample(range(1, row.board.squares + 1), row.board.squares // 3)
        pieces = {number: dice.choice(kinds(row)) for number in chosen}
        turn = dice.choice(list(Colour))
        codes = {at: piece.colour.letter + LETTERS[piece.kind] for at, piece in pieces.items()}
        names = {at.number: at.name for at in squares(row.board, row.notation).values()}
        asked.append({"turn": turn.value, "pieces": codes, "names": names, "runs": {}})
        expected.append(fen.write(Setup(key, turn, pieces)))

    assert answer("fens", asked) == expected


@pytest.mark.parametrize("key", VARIANTS)
def test_a_board_says_the_same_about_each_move_and_position_as_the_library(key: str) -> None:
    dice, game = random.Random(key), Game(key)
    while len(game.moves) < PLIES and game.outcome() is None:
        game.push(dice.choice(game.position.legal_moves()))
    board = GameBoard(replay=game, bottom=Colour.WHITE, ply=0)
    names = {at.number: at.name for at in squares(game.variant.board, game.variant.notation).values()}

    (told,) = answer("told", [dict(board.presenter().data)])

    assert told["fens"] == [position.fen() for position in game.positions]
    assert told["sentences"] == [
        move_sentence(variant=game.variant, colour=before.turn, move=move, names=names)
        for before, move in zip(game.positions, game.moves, strict=False)
    ]
    assert told["sentences"][-1] == board.last_sentence


@pytest.mark.parametrize(
    "text",
    ["W:WK46,28:BK5,7:+1+2", "B:WK46,K28:BK5,K7:+1@7+2@46", "W:WK46,K28:B7:+0+3@28", "W:WK46,28:B7:+0+0"],
)
def test_a_king_that_has_run_is_written_while_it_is_there(text: str) -> None:
    setup = fen.read(text, "frisian")
    pieces = {at: piece.colour.letter + piece.kind.value[0].upper() for at, piece in setup.pieces.items()}
    asked = {
        "turn": setup.turn.value,
        "names": {at: str(at) for at in setup.pieces},
        "runs": {colour.value: [run.square, run.steps] for colour, run in setup.king_runs.items()},
    }
    fewer = {at: code for at, code in pieces.items() if code != "WK"}

    whole, without = answer("fens", [{**asked, "pieces": pieces}, {**asked, "pieces": fewer}])

    assert whole == fen.write(setup)
    assert without.endswith("+0") or ":+" not in without


def test_moves_are_written_with_the_chosen_names_of_squares() -> None:
    texts = ["11-15", "22x15x8", "White jumps 15 to 8, takes 11.", "Start of the game."]
    american = {"texts": texts, "squares": board_squares("american")}

    assert answer("renamed", {**american, "names": "own"}) == texts
    assert answer("renamed", {**american, "names": "algebraic"}) == [
        "c3-d4",
        "f6xd4xb2",
        "White jumps d4 to b2, takes c3.",
        "Start of the game.",
    ]
    turkish = {"texts": ["a3-a4"], "squares": board_squares("turkish"), "names": "algebraic"}
    assert answer("renamed", turkish) == ["a3-a4"]
