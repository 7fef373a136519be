"""Boards, notations and start arrays that several rows of the variant table share."""

from __future__ import annotations

from crownhead.rules.geometry import numbers_by_name
from crownhead.rules.schema import Board, Colour, Corner, Grid, Notation, Start


def numbered(first: int, last: int) -> frozenset[int]:
    """Return the squares from ``first`` to ``last``."""
    return frozenset(range(first, last + 1))


def named(text: str, board: Board, notation: Notation) -> frozenset[int]:
    """Return the squares with these algebraic names, separated by spaces."""
    numbers = numbers_by_name(board, notation)
    return frozenset(numbers[name] for name in text.split())


BOARD_8 = Board(8, 8)  # WCDF 1.4: the corner at each player's left is played
BOARD_8_RIGHT = Board(8, 8, left_corner=False)  # FID 2.3
BOARD_10 = Board(10, 10)  # FMJD 2.4
BOARD_12 = Board(12, 12)  # PDN 27,W,12,12,N2,0
EVERY_SQUARE_8 = Board(8, 8, grid=Grid.FULL)
LINES_5 = Board(5, 5, grid=Grid.LINES)

# On boards with algebraic names, number 1 is the first square of the top row.
ALGEBRAIC_FIRST = Corner.TOP_LEFT
ALGEBRAIC = Notation(None, ALGEBRAIC_FIRST, algebraic=True)

TWELVE_BLACK_FIRST = Start(numbered(1, 12), numbered(21, 32), Colour.BLACK)
TWELVE_WHITE_FIRST = Start(numbered(1, 12), numbered(21, 32), Colour.WHITE)
# Numbered from White's own row upwards.
TWELVE_FROM_WHITE = Start(numbered(21, 32), numbered(1, 12), Colour.WHITE)
