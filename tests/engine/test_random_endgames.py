"""Random endgames for self-play: few pieces, games that are not over, the same for the same seed."""

from __future__ import annotations

import pytest

from crownhead import VARIANTS, Position
from crownhead.engine.random_endgames import has_endgames, random_endgames
from crownhead.engine.training import start_positions
from crownhead.rules.schema import PieceKind


@pytest.mark.parametrize("variant", VARIANTS)
def test_endgames_have_few_pieces_and_are_not_over(variant: str) -> None:
    found = random_endgames(variant, 30, seed=2)
    assert found == random_endgames(variant, 30, seed=2)
    for position in found:
        assert position.outcome() is None
        assert 2 <= len(position.pieces) <= 8
    if found:
        kinds = {piece.kind for position in found for piece in position.pieces.values()}
        assert kinds == {PieceKind.KING, PieceKind.MAN}


def test_where_games_end_before_kings_move_there_are_none() -> None:
    without = {variant for variant, row in VARIANTS.items() if not has_endgames(row)}
    assert without == {"breakthrough", "alquerque", "hawaiian"}


def test_games_start_from_the_start_the_ballots_and_later_from_endgames() -> None:
    start = Position.start("american")
    first, later = (start_positions("american", 1, endgames=learned) for learned in (False, True))
    assert first[::2] == [start] * (len(first) // 2)
    assert all(len(position.pieces) >= 20 for position in first)
    assert sum(len(position.pieces) <= 8 for position in later) == len(later) // 4
    assert start_positions("hawaiian", 1, endgames=True) == [Position.start("hawaiian")] * 2
