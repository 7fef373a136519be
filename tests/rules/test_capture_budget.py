"""Crafted boards with enormous numbers of captures are rejected quickly."""

from __future__ import annotations

import contextlib
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crownhead import VARIANTS, Colour, PieceKind, Position, TooManyCaptures
from crownhead.rules.schema import DIAGONALLY, Crowning
from tests.reference.board import cells, is_crowning_cell

WITHIN = 1.0  # seconds of this process
TOO_MANY_ROUTES = "W:W50:B7,9,11,12,13,14,16,18,20,21,22,23,24,27,29,31,32,33,34,36,38,40,41,42,43,44,K47,K49"
# A side without mules has won already; where nothing is crowned there are no kings.
WITH_KINGS = [
    key
    for key, row in VARIANTS.items()
    if row.rules.marked is not PieceKind.MULE and row.rules.crowning is not Crowning.NEVER
]
BOARDS_OF_TEN = [key for key, row in VARIANTS.items() if row.board.squares == 50]


def lattice(variant: str, *, king: tuple[int, int], extra: int = 0) -> str:
    """One king among all the men that stand apart where it can take them, and ``extra`` more."""
    row = VARIANTS[variant]
    played = cells(row.board, row.notation)
    offset = 1 if row.board.left_corner else 0
    apart = [n for n, (file, rank) in enumerate(played, 1) if rank % 2 == 1 and file % 2 == offset]
    if not row.rules.king_captures & DIAGONALLY:
        apart = [n for n, (file, rank) in enumerate(played, 1) if (file + rank) % 2 == 1]
    others = [n for n, cell in enumerate(played, 1) if n not in apart and cell != king]
    men = sorted(apart + others[:extra])
    crown = {n for n, cell in enumerate(played, 1) if is_crowning_cell(row, Colour.BLACK, cell)}
    black = ",".join(f"K{n}" if n in crown else str(n) for n in men)
    return f"W:WK{played.index(king) + 1}:B{black}"


def _answers(fen: str, variant: str) -> None:
    """Every question about the position is answered, or refused as too many captures, in time."""
    position = Position.from_fen(fen, variant)
    begun = time.process_time()
    for question in (position.legal_moves, position.outcome, lambda: position.perft(1)):
        with contextlib.suppress(TooManyCaptures):
            question()
    assert time.process_time() - begun < 3 * WITHIN


@pytest.mark.parametrize("variant", WITH_KINGS)
@pytest.mark.parametrize("extra", [0, 3, 6, 12])
def test_one_king_against_a_lattice_of_men_is_answered_within_a_second(variant: str, extra: int) -> None:
    king = (2, 2) if VARIANTS[variant].board.left_corner else (3, 2)
    _answers(lattice(variant, king=king, extra=extra), variant)


@pytest.mark.parametrize("variant", BOARDS_OF_TEN)
@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(squares=st.permutations(range(6, 46)))
def test_one_king_against_thirty_one_is_answered_within_a_second(variant: str, squares: list[int]) -> None:
    black = ",".join(map(str, sorted(squares[1:32])))
    _answers(f"W:WK{squares[0]}:B{black}", variant)


@pytest.mark.parametrize(
    "fen",
    [
        "W:WK26,K35:B7,12,20,21,23,24,32,33,38,40,41,42,43,44",
        "W:WK3,K5:B9,10,12,13,18,20,21,22,24,29,30,31,32,34,38,40,41,42",
        "W:WK2,K35,K36,K4,K8,K46,K47,K21,K26:B7,9,12,13,14,22,23,27,28,29,30,31,32,33,34,38,39,41,43,44",
    ],
)
def test_the_worst_boards_that_were_searched_for_are_answered_within_a_second(fen: str) -> None:
    _answers(fen, "international")


def test_a_board_with_too_many_routes_is_refused_with_our_error() -> None:
    # Twenty-eight pieces about one man: the best public programs take some twenty seconds for its two moves.
    position = Position.from_fen(TOO_MANY_ROUTES, "frisian")
    begun = time.process_time()
    for question in (position.legal_moves, lambda: position.perft(1)):
        with pytest.raises(TooManyCaptures, match="too many routes"):
            question()
    assert time.process_time() - begun < 3 * WITHIN


def test_a_refused_search_leaves_the_position_as_it_was() -> None:
    position = Position.from_fen(TOO_MANY_ROUTES, "frisian")
    answers = {_outcome_of(position) for _ in range(3)}
    assert len(answers) == 1
    assert position == Position.from_fen(TOO_MANY_ROUTES, "frisian")


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_start_position_comes_near_the_budget(variant: str) -> None:
    assert Position.start(variant).perft(5) > 0


def _outcome_of(position: Position) -> str:
    try:
        return str(position.legal_moves())
    except TooManyCaptures as error:
        return str(error)
