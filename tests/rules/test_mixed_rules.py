"""Rules that no row of the table combines, on boards that none has: the kernel's path for any rules."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from crownhead import VARIANTS, Colour, PieceKind, Variant
from crownhead.rules.kernel import kernel_variant
from crownhead.rules.rule_sets import (
    ALQUERQUE,
    AMERICAN,
    DAMEO,
    FRISIAN,
    HAWAIIAN,
    INTERNATIONAL,
    RUSSIAN,
    TURKISH,
)
from crownhead.rules.schema import (
    ANYWHERE,
    DIAGONALLY,
    DIAGONALLY_FORWARD,
    ORTHOGONALLY,
    Board,
    Corner,
    Crowning,
    Grid,
    Landing,
    Notation,
    Objective,
    Priority,
    Promotion,
    Removal,
    Rules,
)
from tests.lengths import short_and_full
from tests.nightly.million_plies import play_game
from tests.reference import board
from tests.rules.mixed_rows import mixed_row, start_of
from tests.rules.side_by_side import play_side_by_side
from tests.rules.test_against_reference import (
    BY_CHANCE,
    FEW_CHOICES,
    QUICK,
    arrangements,
    crowds,
    crownings,
    lattices,
    with_runs,
)

POSITIONS = short_and_full(60, 1_000)  # of each row, in the long test
GAMES = 8  # by each row of chance


def house(key: str, board: Board, rules: Rules, men: int, *, corner: Corner = Corner.TOP_LEFT) -> Variant:
    """A row of one's own: so many men a side on the nearest rows."""
    start = start_of(men, board.squares, corner, Colour.WHITE)
    notation = Notation(None, corner)
    name = key.replace("-", " ").capitalize()
    row = VARIANTS["russian"]
    return replace(row, key=key, name=name, board=board, notation=notation, start=start, rules=rules)


def full(rows: int, files: int) -> Board:
    return Board(files, rows, grid=Grid.FULL)


ROWS = [
    house("forward-russian", Board(10, 8), replace(RUSSIAN, man_captures=DIAGONALLY_FORWARD), 15),
    house(
        "kings-before-numbers",
        Board(9, 9),
        replace(
            INTERNATIONAL,
            priority=(Priority.WITH_KING, Priority.MAX_PIECES, Priority.KINGS_FIRST),
            promotion=Promotion.CONTINUE,
        ),
        14,
        corner=Corner.BOTTOM_RIGHT,
    ),
    house(
        "queens-that-step",
        Board(8, 9, left_corner=False),
        replace(
            AMERICAN,
            king_steps=ANYWHERE,
            king_captures=ANYWHERE,
            man_captures_king=False,
            removal=Removal.AT_ONCE,
        ),
        12,
    ),
    house(
        "never-crowned",
        Board(9, 6, left_corner=False),
        replace(RUSSIAN, crowning=Crowning.NEVER, man_steps=ANYWHERE, priority=(Priority.MAX_VALUE,)),
        9,
    ),
    house(
        "turning-turks",
        full(10, 7),
        replace(
            TURKISH,
            promotion=Promotion.CONTINUE,
            landing=Landing.BEHIND,
            may_reverse=True,
            man_captures=ORTHOGONALLY,
        ),
        14,
    ),
    house(
        "short-runs",
        Board(12, 12),
        replace(FRISIAN, king_run=2, removal=Removal.AT_ONCE, landing=Landing.BEHIND_LAST_KING),
        24,
    ),
    house(
        "marching-lines",
        full(11, 6),
        replace(DAMEO, man_captures=ANYWHERE, priority=(Priority.KINGS_FIRST, Priority.MAX_PIECES)),
        12,
    ),
    house(
        "many-parachutes",
        Board(10, 10, left_corner=False),
        replace(
            INTERNATIONAL, marked=PieceKind.PARACHUTIST, priority=(Priority.MAX_KINGS, Priority.MAX_VALUE)
        ),
        15,
        corner=Corner.BOTTOM_LEFT,
    ),
    house(
        "stubborn-mules",
        Board(12, 12),
        replace(
            RUSSIAN, marked=PieceKind.MULE, man_captures_king=False, may_reverse=True, removal=Removal.AT_ONCE
        ),
        18,
    ),
    house(
        "crowned-on-lines",
        Board(9, 7, grid=Grid.LINES),
        replace(
            ALQUERQUE,
            flying_king=True,
            crowning=Crowning.FAR_ROW,
            king_steps=ANYWHERE,
            king_captures=ANYWHERE,
            promotion=Promotion.PASS,
        ),
        18,
    ),
    house("wide-konane", full(6, 8), HAWAIIAN, 24),
    house(
        "every-priority",
        Board(7, 10),
        replace(INTERNATIONAL, priority=tuple(Priority), landing=Landing.BEHIND, man_captures=ANYWHERE),
        10,
    ),
    house(
        "far-corners",
        Board(10, 8),
        replace(
            RUSSIAN, crowning=Crowning.FAR_CORNER, rests_on_far_row=True, king_captures=DIAGONALLY, king_run=1
        ),
        10,
    ),
    house(
        "quick-crowns",
        full(16, 8),
        replace(
            AMERICAN, man_steps=DIAGONALLY_FORWARD, man_captures=ANYWHERE, objective=Objective.FIRST_KING
        ),
        16,
    ),
]
KEYS = [row.key for row in ROWS]


def positions(row: Variant) -> Any:
    made = (
        arrangements(row, most=18) | arrangements(row, most=6) | lattices(row) | crownings(row) | crowds(row)
    )
    if row.rules.king_run:
        return made | arrangements(row, most=5).map(lambda start: with_runs(start, row.rules.king_run))
    return made


@pytest.mark.parametrize("row", ROWS, ids=KEYS)
def test_kernel_and_oracle_agree_by_mixed_rules(row: Variant) -> None:
    assert not kernel_variant(row).compiled

    @settings(QUICK, max_examples=30)
    @given(positions(row), FEW_CHOICES)
    def positions_agree(start: board.Arrangement, choices: list[int]) -> None:
        play_side_by_side(start, choices[:4])

    positions_agree()
    play_side_by_side(board.start(row), range(0, 400, 7))


@pytest.mark.slow
@pytest.mark.parametrize("wanted", POSITIONS)
@pytest.mark.parametrize("row", ROWS, ids=KEYS)
def test_many_positions_by_mixed_rules_agree(row: Variant, wanted: int) -> None:
    compared = 0

    @settings(BY_CHANCE, max_examples=wanted // 2)
    @given(positions(row), FEW_CHOICES)
    def positions_agree(start: board.Arrangement, choices: list[int]) -> None:
        nonlocal compared
        compared += play_side_by_side(start, choices)

    while compared < wanted:
        positions_agree()


@pytest.mark.parametrize("rows", short_and_full(20, 4_000))
def test_rows_by_chance_agree(rows: int) -> None:
    for seed in range(rows):
        row = mixed_row(seed)
        for game in range(GAMES):
            play_game(row, seed * GAMES + game)
