"""The routes of a move that a board offers are those of the laws, as the reference plays them."""

from __future__ import annotations

from random import Random

import pytest

from crownhead import VARIANTS, Colour, Move, Piece, PieceKind, Position, Setup
from crownhead.engine.browser import row as browser_row
from crownhead.rules.errors import IllegalPosition
from crownhead.server.play.presenters.board import routes
from crownhead.server.play.presenters.board.routes import MOST, all_routes
from crownhead.server.play.presenters.board.touch import touch
from tests.reference.board import arrange
from tests.reference.captures import TooSlow
from tests.reference.moves import Identity, Route, legal_moves
from tests.wasm.asking import answer

CIRCLE, TWO_CIRCLES = "B:W6,7,14,15:BK2,4", "B:W6,7,14,15,22,23:BK2,4"
IN_CI, NIGHTLY = 25, 400  # positions of each variant
SHORT = 4  # pieces taken by one move
PATIENCE = 3000  # jumps of the reference
SPARSE, SPARSER = 8, 12  # at least so many squares to each piece that may be taken


def crowded(key: str, count: int, dice: Random, sparse: int = SPARSE) -> list[Position]:
    """Positions in which White's only piece can take several, of a variant that allows them."""
    row, found = VARIANTS[key], []
    for _ in range(count * 40):
        men, squares = dice.randint(4, max(5, row.board.squares // sparse)), range(1, row.board.squares + 1)
        own, *others = dice.sample(squares, men + 1)
        pieces = {at: Piece(Colour.BLACK, dice.choice([PieceKind.MAN, PieceKind.KING])) for at in others}
        pieces[own] = Piece(Colour.WHITE, dice.choice([PieceKind.MAN, PieceKind.KING, PieceKind.KING]))
        try:
            position = Position.from_setup(Setup(key, Colour.WHITE, pieces))
        except IllegalPosition:
            continue
        if any(len(move.captures) > 1 for move in position.legal_moves()):
            found.append(position)
        if len(found) == count:
            break
    return found


def by_the_reference(position: Position) -> dict[Move, set[Route]]:
    """Every route of each legal move."""
    pieces = {at: (piece.colour, piece.kind) for at, piece in position.pieces.items()}
    arrangement = arrange(position.variant, position.turn, pieces)
    found = legal_moves(arrangement, patience=PATIENCE)
    return {
        move: {*found[Identity(move.origin, move.target, frozenset(move.captures), move.crowns)]}
        for move in position.legal_moves()
    }


def compare(key: str, count: int, sparse: int = SPARSE) -> tuple[int, int]:
    """How many moves of random positions have other routes, and of how many some are not offered."""
    others = left_out = 0
    for position in crowded(key, count, Random(f"routes {key}"), sparse):
        try:
            expected = by_the_reference(position)
        except TooSlow:
            continue
        found = all_routes(position, position.legal_moves())
        for move, ways in expected.items():
            offered = [Route(route.path, route.captures) for route in found if route == move]
            assert offered[0] == (move.path, move.captures), position
            assert len({*offered}) == len(offered) <= MOST, position
            assert {*offered} <= ways, position
            others += len(ways) > 1
            left_out += len(ways) > len(offered)
    return others, left_out


def test_a_circle_is_gone_round_in_both_directions() -> None:
    position = Position.from_fen(CIRCLE)
    (move,) = position.legal_moves()

    found = all_routes(position, [move])

    assert [(route.path, route.captures) for route in found] == [
        ((2, 9, 18, 11, 2), (6, 14, 15, 7)),
        ((2, 11, 18, 9, 2), (7, 15, 14, 6)),
    ]
    assert {*found} == {move}


def test_of_two_circles_each_is_gone_round_in_both_directions() -> None:
    position = Position.from_fen(TWO_CIRCLES)

    longest = max(position.legal_moves(), key=lambda move: len(move.path))
    found = all_routes(position, [longest])

    assert {route.path for route in found} == {
        Route(*way).path for way in by_the_reference(position)[longest]
    }
    assert len(found) > 1


def test_a_king_may_land_anywhere_between_two_pieces_on_its_line() -> None:
    position = Position.from_fen("W:WK46:B37,19", "international")
    found = all_routes(position, position.legal_moves())

    assert {route.path for route in found if route.target == 10} == {
        (46, 32, 10),
        (46, 28, 10),
        (46, 23, 10),
    }


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Routes are looked for as long as it takes, also among many kings that may be taken in any order."""
    monkeypatch.setattr(routes, "_JUMPS", 1_000_000)
    monkeypatch.setattr(routes, "_NODES", 10_000_000)


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("key", VARIANTS)
def test_each_route_is_one_of_the_laws_and_none_is_left_out(key: str) -> None:
    assert compare(key, IN_CI)[1] == 0


@pytest.mark.nightly
@pytest.mark.parametrize("key", VARIANTS)
def test_of_very_many_positions_hardly_a_move_lacks_a_route_in_the_time_there_is(key: str) -> None:
    others, left_out = compare(key, NIGHTLY, SPARSER)
    assert left_out <= others / 50


def test_touched_squares_may_be_those_of_any_route() -> None:
    position = Position.from_fen(TWO_CIRCLES)
    moves = position.notations()
    found = all_routes(position, moves)
    for route in found:
        path: tuple[int, ...] = ()
        for square in route.path:
            path = touch(moves, path, found).after(square)
            under_way = touch(moves, path, found).under_way
            assert under_way is not None
            assert under_way.path[: len(path)] == path
        assert touch(moves, path, found).chosen == route


def test_browsers_find_the_same_routes() -> None:
    questions, expected = [], []
    for key in VARIANTS:
        positions = [at for at in crowded(key, IN_CI, Random(f"browsers {key}")) if not is_long(at)]
        questions.append({"row": browser_row(key), "fens": [position.fen() for position in positions]})
        expected.append([told(position) for position in positions])
    told_by_browsers = [[sorted(ways) for ways in positions] for positions in answer("routes", questions)]

    assert told_by_browsers == expected


def is_long(position: Position) -> bool:
    """Whether time may run out: what is left out then depends on where the search begins."""
    return any(len(move.captures) > SHORT for move in position.legal_moves())


def told(position: Position) -> list[list[object]]:
    """The routes as ``answers.js`` tells them."""
    moves = position.legal_moves()
    found = all_routes(position, moves)
    return sorted([[*route.path], [*route.captures], route.crowns, moves.index(route)] for route in found)
