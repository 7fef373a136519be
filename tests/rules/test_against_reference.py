"""Random games in every variant, the kernel and the oracle side by side at each ply."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crownhead import VARIANTS, Colour, Move, Outcome, PieceKind, Position, Termination
from crownhead.rules.schema import Variant
from tests.reference import board
from tests.reference.captures import TooSlow
from tests.reference.endings import ending
from tests.reference.moves import Identity, Moves, Route, legal_moves, play

Boards = Callable[[Variant], st.SearchStrategy[board.Arrangement]]
CHOICES = st.lists(st.integers(0, 10**6), max_size=100)
FEW_CHOICES = st.lists(st.integers(0, 10**6), max_size=14)
QUICK = settings(
    max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), database=None
)
LONG = settings(QUICK, max_examples=1_500, derandomize=False)


def arrangements(variant: Variant, *, most: int = 14) -> st.SearchStrategy[board.Arrangement]:
    """Sparse, king-rich and one-sided boards: few pieces find more traps than whole arrays do."""
    kinds = [PieceKind.MAN, PieceKind.KING] + [PieceKind.MULE] * variant.rules.mules
    piece = st.tuples(st.sampled_from(list(Colour)), st.sampled_from(kinds))
    pieces = st.dictionaries(st.integers(1, variant.board.squares), piece, min_size=1, max_size=most)
    return st.builds(_sane, st.just(variant), st.sampled_from(list(Colour)), pieces)


def lattices(variant: Variant) -> st.SearchStrategy[board.Arrangement]:
    """Black pieces that stand apart among white ones, so that captures run long and compete."""
    cells = board.cells(variant.board, variant.notation)
    apart = [number for number, (_, rank) in enumerate(cells, start=1) if rank % 2]
    between = [number for number in range(1, variant.board.squares + 1) if number not in apart]
    return _two_sided(variant, taken=apart, taking=between, most=4)


def crownings(variant: Variant) -> st.SearchStrategy[board.Arrangement]:
    """White men two steps from their far row with black pieces all about."""
    height = variant.board.height
    cells = list(enumerate(board.cells(variant.board, variant.notation), start=1))
    taken = [number for number, (_, rank) in cells if rank in (height - 4, height - 2)]
    taking = [number for number, (_, rank) in cells if rank == height - 3]
    return _two_sided(variant, taken=taken, taking=taking, most=3)


def _two_sided(
    variant: Variant, *, taken: list[int], taking: list[int], most: int
) -> st.SearchStrategy[board.Arrangement]:
    """White to move on ``taking``, with men more often than kings; Black on ``taken``."""
    kinds = st.sampled_from([PieceKind.MAN, PieceKind.MAN, PieceKind.KING])
    black = st.dictionaries(st.sampled_from(taken), st.tuples(st.just(Colour.BLACK), kinds), max_size=10)
    white = st.dictionaries(
        st.sampled_from(taking), st.tuples(st.just(Colour.WHITE), kinds), min_size=1, max_size=most
    )
    pieces = st.builds(lambda one, other: {**one, **other}, black, white)
    return st.builds(_sane, st.just(variant), st.just(Colour.WHITE), pieces)


@pytest.mark.parametrize("key", VARIANTS)
def test_games_from_the_start_agree_with_the_oracle(key: str) -> None:
    @settings(QUICK, max_examples=15)
    @given(CHOICES)
    def games_agree(choices: list[int]) -> None:
        _play_side_by_side(board.start(VARIANTS[key]), choices)

    games_agree()


@pytest.mark.parametrize("key", VARIANTS)
def test_games_from_any_position_agree_with_the_oracle(key: str) -> None:
    @settings(QUICK, max_examples=50)
    @given(arrangements(VARIANTS[key]), FEW_CHOICES)
    def games_agree(start: board.Arrangement, choices: list[int]) -> None:
        _play_side_by_side(start, choices)

    games_agree()


@pytest.mark.parametrize("made", [lattices, crownings])
@pytest.mark.parametrize("key", VARIANTS)
def test_boards_made_for_captures_agree_with_the_oracle(key: str, made: Boards) -> None:
    @settings(QUICK, max_examples=150)
    @given(made(VARIANTS[key]))
    def captures_agree(start: board.Arrangement) -> None:
        _play_side_by_side(start, [])

    captures_agree()


@pytest.mark.slow
@pytest.mark.parametrize("key", VARIANTS)
def test_many_games_agree_with_the_oracle(key: str) -> None:
    variant = VARIANTS[key]

    @LONG
    @given(arrangements(variant, most=18) | lattices(variant) | crownings(variant), FEW_CHOICES)
    def positions_agree(start: board.Arrangement, choices: list[int]) -> None:
        _play_side_by_side(start, choices)

    @settings(LONG, max_examples=100)
    @given(CHOICES)
    def games_agree(choices: list[int]) -> None:
        _play_side_by_side(board.start(variant), choices)

    positions_agree()
    games_agree()


@pytest.mark.parametrize("key", VARIANTS)
def test_positions_are_equal_and_hash_alike_exactly_when_they_repeat(key: str) -> None:
    @QUICK
    @given(arrangements(VARIANTS[key], most=4), CHOICES)
    def equal_iff_repeated(start: board.Arrangement, choices: list[int]) -> None:
        walked = [(arrangement, position) for arrangement, position, _ in _walk(start, choices)]
        for ply, (arrangement, position) in enumerate(walked):
            for earlier, before in walked[:ply]:
                repeats = arrangement.identity() == earlier.identity()
                assert (position == before) is repeats
                assert not repeats or hash(position) == hash(before)

    equal_iff_repeated()


def _play_side_by_side(start: board.Arrangement, choices: list[int]) -> None:
    for arrangement, position, moves in _walk(start, choices):
        _assert_same_board(arrangement, position)
        _assert_same_moves(moves, position)
        _assert_texts_come_back(moves, position)
        _assert_same_ending(arrangement, moves, position)
        _assert_fen_comes_back(arrangement, position)


def _walk(
    start: board.Arrangement, choices: list[int]
) -> Iterator[tuple[board.Arrangement, Position, Moves]]:
    """The positions of a game by ``choices`` among the sorted legal moves, in both implementations."""
    arrangement = start
    position = Position.from_fen(board.to_fen(start), start.variant)
    for choice in [*choices, None]:
        try:
            moves = legal_moves(arrangement)
        except TooSlow:
            return
        yield arrangement, position, moves
        if choice is None or not moves:
            return
        ordered = sorted(moves, key=lambda move: (*move[:2], sorted(move.captures), move.crowned))
        chosen = ordered[choice % len(ordered)]
        position = position.play({_identity(move): move for move in position.legal_moves()}[chosen])
        arrangement = play(arrangement, chosen)


def _assert_same_board(arrangement: board.Arrangement, position: Position) -> None:
    pieces = {square: (piece.colour, piece.kind) for square, piece in position.pieces.items()}
    expected = {board.number_of(arrangement.variant, cell): p for cell, p in arrangement.pieces.items()}
    assert pieces == {square: tuple(piece) for square, piece in expected.items()}
    assert position.turn is arrangement.turn


def _assert_same_moves(moves: Moves, position: Position) -> None:
    legal = position.legal_moves()
    assert {_identity(move) for move in legal} == set(moves)
    assert len(legal) == len(moves)
    assert [move.path for move in legal] == sorted(move.path for move in legal)
    for move in legal:
        assert Route(move.path, move.captures) in moves[_identity(move)]


def _assert_texts_come_back(moves: Moves, position: Position) -> None:
    """A move's own text means that move; any legal route to it, written in full, is understood."""
    for move in position.legal_moves():
        assert position.parse(position.notation(move)) == move
    for identity, routes in moves.items():
        for route in routes[:8]:
            assert identity in map(_identity, position.find(route.path))


def _assert_same_ending(arrangement: board.Arrangement, moves: Moves, position: Position) -> None:
    expected = ending(arrangement, has_moves=bool(moves))
    outcome = None if expected is None else Outcome(expected.winner, Termination(expected.reason))
    assert position.outcome() == outcome


def _assert_fen_comes_back(arrangement: board.Arrangement, position: Position) -> None:
    again = Position.from_fen(position.fen(), position.variant)
    assert (again, hash(again), again.fen()) == (position, hash(position), position.fen())
    plain = Position.from_fen(board.to_fen(arrangement), position.variant)
    assert (plain, hash(plain)) == (position, hash(position))


def _identity(move: Move) -> Identity:
    return Identity(move.origin, move.target, frozenset(move.captures), move.crowns)


def _sane(variant: Variant, turn: Colour, pieces: dict[int, tuple[Colour, PieceKind]]) -> board.Arrangement:
    """Pieces that have reached their far row are kings there."""
    for square, (colour, _) in pieces.items():
        if board.is_far_row(variant, colour, board.cell_of(variant, square)):
            pieces[square] = (colour, PieceKind.KING)
    return board.arrange(variant, turn, pieces)
