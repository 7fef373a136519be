"""Themes follow from the moves of the solution."""

from __future__ import annotations

from itertools import product

import pytest

from crownhead import Move, Position
from crownhead.engine.tables.available import available
from crownhead.problems.problem import ProblemTheme
from crownhead.problems.themes import has_the_move, themes_of


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
    assert ProblemTheme.BREAKTHROUGH not in themes("W:WK7,21:B5,12", "7-2")


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


def test_other_rules_on_the_same_squares_know_no_opposition() -> None:
    fen, line = "W:WK16,K20:BK7,8", "16-12 7-3 20-24"
    assert ProblemTheme.OPPOSITION in themes(fen, line, "pro")
    assert ProblemTheme.OPPOSITION not in themes("W:WM16,20:BM7,8", "16-12", "mule")
    assert ProblemTheme.OPPOSITION not in themes(fen, line, "anti")


@pytest.mark.parametrize(
    ("fen", "line", "is_opposition"),
    [
        ("W:WK16,K20:BK7,8", "16-12 7-3 20-24", True),
        ("W:WK16,K20:BK7,K11", "16-12 7-3 20-24", False),  # the other side has the move
        ("W:WK16,K20:B8", "16-12 8-11 20-24", False),  # more pieces
        ("W:W18,28:B5,15", "18x11 5-9", False),  # something is taken
        ("W:W7,21:B5,12", "7-2", False),  # a man is crowned
    ],
)
def test_who_has_the_move_wins_by_the_opposition(fen: str, line: str, *, is_opposition: bool) -> None:
    assert (ProblemTheme.OPPOSITION in themes(fen, line)) is is_opposition


def test_the_endgame_tables_agree_with_the_rule_of_the_opposition() -> None:
    """Of man against man, what is not drawn is won by the side that has the move."""
    tables = available("american")
    assert tables is not None
    decided = 0
    for white, black in product(range(13, 33), range(1, 21)):
        position = Position.from_fen(f"W:W{white}:B{black}") if white != black else None
        if position is None or any(move.captures for move in position.legal_moves()):
            continue
        verdict = tables.probe(position)
        if verdict is not None and verdict.result != "draw":
            decided += 1
            assert has_the_move(position) is (verdict.result == "win"), position.fen()
    assert decided > 80
