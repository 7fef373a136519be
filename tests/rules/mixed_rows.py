"""Rows by chance: the rules of a game with some columns changed, on its board or on another."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from crownhead import VARIANTS, BadVariant, Colour, PieceKind, Variant
from crownhead.rules.boards import numbered
from crownhead.rules.checking import check
from crownhead.rules.schema import (
    ANYWHERE,
    DIAGONALLY,
    DIAGONALLY_BACKWARD,
    DIAGONALLY_FORWARD,
    ORTHOGONALLY,
    SIDEWAYS,
    Board,
    Corner,
    Crowning,
    Direction,
    Grid,
    Landing,
    Objective,
    Priority,
    Promotion,
    Removal,
    Rules,
    Start,
)

_FORWARD = frozenset({Direction.FORWARD})
_BOTH_WAYS = (DIAGONALLY, ORTHOGONALLY, ANYWHERE)
_WAYS = (
    *_BOTH_WAYS,
    DIAGONALLY_FORWARD,
    DIAGONALLY_BACKWARD,
    SIDEWAYS,
    ORTHOGONALLY - {Direction.BACKWARD},
    DIAGONALLY_FORWARD | _FORWARD,
    _FORWARD,
)
_YES_OR_NO = (True, False)
# What a column may be changed to, and how often it is.
_CHANGES: tuple[tuple[str, tuple[Any, ...], float], ...] = (
    ("flying_king", _YES_OR_NO, 0.35),
    ("promotion", tuple(Promotion), 0.35),
    ("man_steps", _WAYS, 0.35),
    ("man_captures", _WAYS, 0.35),
    ("man_goes_on", (None, *_WAYS), 0.2),
    ("king_steps", _BOTH_WAYS, 0.35),
    ("king_captures", _BOTH_WAYS, 0.35),
    ("man_captures_king", _YES_OR_NO, 0.35),
    ("removal", tuple(Removal), 0.35),
    ("landing", tuple(Landing), 0.35),
    ("may_reverse", _YES_OR_NO, 0.35),
    ("crowning", tuple(Crowning), 0.35),
    ("objective", tuple(Objective), 0.1),
    ("marked", (None, PieceKind.MULE, PieceKind.PARACHUTIST), 0.1),
    ("one_way", _YES_OR_NO, 0.1),
    ("lines_step", _YES_OR_NO, 0.15),
    ("rests_on_far_row", _YES_OR_NO, 0.15),
    ("king_run", (0, 2, 3), 0.1),
)


def mixed_row(seed: int) -> Variant:
    """A row that can be played, the same for the same seed."""
    dice = Random(seed)
    while True:
        row = _any_row(dice, f"mixed-{seed}")
        try:
            check(row)
        except BadVariant:
            continue
        return row


def start_of(men: int, squares: int, corner: Corner, first: Colour) -> Start:
    """So many men a side on the squares nearest to it."""
    low, high = numbered(1, men), numbered(squares - men + 1, squares)
    black, white = (low, high) if corner in (Corner.TOP_LEFT, Corner.TOP_RIGHT) else (high, low)
    return Start(black, white, first)


def _any_row(dice: Random, key: str) -> Variant:
    base = VARIANTS[dice.choice(list(VARIANTS))]
    board = _any_board(dice, base.board.grid) if dice.random() < 0.6 else base.board
    corner = dice.choice(list(Corner))
    men = max(1, min(board.squares // 3, dice.randint(2, 20)))
    notation = replace(
        base.notation, first_square=corner, algebraic=False, game_type=None, private_game_type=None
    )
    return replace(
        base,
        key=key,
        name=key.replace("-", " ").capitalize(),
        board=board,
        rules=_any_rules(dice, base.rules),
        start=start_of(men, board.squares, corner, dice.choice(list(Colour))),
        notation=notation,
    )


def _any_rules(dice: Random, rules: Rules) -> Rules:
    columns: dict[str, Any] = {
        column: dice.choice(values) for column, values, often in _CHANGES if dice.random() < often
    }
    if dice.random() < 0.4:
        columns["priority"] = tuple(dice.sample(list(Priority), dice.randint(0, 3)))
    return replace(rules, **columns)


def _any_board(dice: Random, grid: Grid) -> Board:
    grid = dice.choice([grid, grid, *Grid])
    width, height = dice.randint(4, 12), dice.randint(4, 12)
    if grid is Grid.LINES:
        width, height = width | 1, height | 1
    return Board(width, height, left_corner=dice.choice(_YES_OR_NO), grid=grid)
