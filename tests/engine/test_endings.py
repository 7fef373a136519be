"""Endings to learn from: few pieces, games that are not over, the same every time; openings beside them."""

from __future__ import annotations

import pytest

from crownhead import VARIANTS, Position
from crownhead.engine.endings import endings_of, has_endings
from crownhead.engine.training import starts_of
from crownhead.rules.schema import PieceKind


@pytest.mark.parametrize("variant", VARIANTS)
def test_endings_have_few_pieces_and_are_not_over(variant: str) -> None:
    found = endings_of(variant, 30, seed=2)
    assert found == endings_of(variant, 30, seed=2)
    for position in found:
        assert position.outcome() is None
        assert 2 <= len(position.pieces) <= 8
    if found:
        kinds = {piece.kind for position in found for piece in position.pieces.values()}
        assert kinds == {PieceKind.KING, PieceKind.MAN}


def test_where_games_end_before_kings_move_there_are_none() -> None:
    without = {variant for variant, row in VARIANTS.items() if not has_endings(row)}
    assert without == {"breakthrough", "alquerque", "hawaiian"}


def test_games_begin_from_the_start_the_ballots_and_later_from_endings() -> None:
    start = Position.start("american")
    first, later = starts_of("american", 0, 1), starts_of("american", 1, 1)
    assert first[::2] == [start] * (len(first) // 2)
    assert all(len(position.pieces) >= 20 for position in first)
    assert sum(len(position.pieces) <= 8 for position in later) == len(later) // 4
    assert starts_of("hawaiian", 3, 1) == [Position.start("hawaiian")] * 2
