"""Themes follow from the moves of the solution."""

from __future__ import annotations

import pytest

from crownhead import Move, Position
from crownhead.problems.problem import ProblemTheme
from crownhead.problems.themes import themes_of


def themes(fen: str, line: str, variant: str = "american") -> set[ProblemTheme]:
    position = Position.from_fen(fen, variant)
    positions, moves = [position], list[Move]()
    for text in line.split():
        moves.append(position.parse(text))
        position = position.play(text)
        positions.append(position)
    return set(themes_of(positions, moves))


def test_a_shot_gives_pieces_and_takes_more_at_once() -> None:
    shot = themes("W:W19,24,32:B10,11,18", "19-16 11x20x27 32x23x14x7")
    assert shot == {ProblemTheme.SHOT, ProblemTheme.ENDING}
    traded = themes("W:W19,24,32:B10,11,18", "19-16 11x20x27")
    assert traded == {ProblemTheme.ENDING}


def test_a_breakthrough_is_a_king_that_stays() -> None:
    assert themes("W:W7,21:B5,12", "7-2") == {ProblemTheme.BREAKTHROUGH, ProblemTheme.ENDING}
    assert themes("W:W10,21:BK1,12", "10-7 1-6 7-2") == {ProblemTheme.BREAKTHROUGH, ProblemTheme.ENDING}
    assert themes("W:WK7,21:B5,12", "7-2") == {ProblemTheme.ENDING}


@pytest.mark.parametrize(
    ("fen", "is_bridge"),
    [
        ("B:W11,10,9,K2:BK18,3,1", True),  # Boland's Bridges #23
        ("W:W22,18,14,K32:B3,1", True),
        ("W:W22,18,14:B3,1", False),  # nobody is near
        ("W:W22,18,14,K32:BK3,1", False),  # a king is no man of the bridge
        ("B:W30,32:B21,22,K1", True),
    ],
)
def test_a_bridge_is_kept_by_two_men(fen: str, *, is_bridge: bool) -> None:
    move = str(next(iter(Position.from_fen(fen).notations().values())))
    assert (ProblemTheme.BRIDGE in themes(fen, move)) is is_bridge


def test_elsewhere_the_same_squares_are_no_bridge() -> None:
    move = next(iter(Position.from_fen("W:W22,18,14,K32:B3,1", "italian").notations().values()))
    assert ProblemTheme.BRIDGE not in themes("W:W22,18,14,K32:B3,1", move, "italian")
