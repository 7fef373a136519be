"""Crafted boards with more captures than anybody could list are answered at once."""

from __future__ import annotations

import contextlib
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crownhead import VARIANTS, Position, TooManyCaptures
from tests.reference.board import cells

WITHIN = 1.0  # seconds of this process
BOARDS_OF_TEN = [key for key, row in VARIANTS.items() if row.board.width == 10]


def lattice(variant: str, *, king: tuple[int, int], extra: int = 0) -> str:
    """One king among all the men that stand apart on odd files and ranks, and ``extra`` more."""
    row = VARIANTS[variant]
    played = cells(row.board, row.notation)
    offset = 1 if row.board.left_corner else 0
    apart = [n for n, (file, rank) in enumerate(played, 1) if rank % 2 == 1 and file % 2 == offset]
    others = [n for n, cell in enumerate(played, 1) if n not in apart and cell != king]
    men = sorted(apart + others[:extra])
    crown = {n for n, (_, rank) in enumerate(played, 1) if rank == 0}
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


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("extra", [0, 3, 6, 12])
def test_one_king_against_a_lattice_of_men_is_answered_within_a_second(variant: str, extra: int) -> None:
    if VARIANTS[variant].rules.mules:
        pytest.skip("a side without mules has won at once")
    king = (2, 2) if VARIANTS[variant].board.left_corner else (3, 2)
    _answers(lattice(variant, king=king, extra=extra), variant)


@pytest.mark.parametrize("variant", BOARDS_OF_TEN)
@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(squares=st.permutations(range(6, 46)))
def test_one_king_against_thirty_one_is_answered_within_a_second(variant: str, squares: list[int]) -> None:
    black = ",".join(map(str, sorted(squares[1:32])))
    _answers(f"W:WK{squares[0]}:B{black}", variant)


def test_a_refused_search_leaves_the_position_as_it_was() -> None:
    fen = lattice("international", king=(2, 2))
    position = Position.from_fen(fen, "international")
    answers = {_outcome_of(position) for _ in range(3)}
    assert len(answers) == 1
    assert position == Position.from_fen(fen, "international")


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_start_position_comes_near_the_budget(variant: str) -> None:
    assert Position.start(variant).perft(5) > 0


def _outcome_of(position: Position) -> str:
    try:
        return str(position.legal_moves())
    except TooManyCaptures as error:
        return str(error)
