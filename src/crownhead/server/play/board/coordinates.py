"""What is written around a board: numbers at the ends of rows, or files and ranks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from crownhead import Colour, Variant
from crownhead.rules.geometry import Square, square_name, squares

MARGIN = 0.32  # from the edge to the middle of what is written, where a square is 1


@dataclass(frozen=True, slots=True)
class EdgeName:
    """A name beside the board: ``x`` and ``y`` from the upper left, where a square is 1.

    ``kind``: ``end``, the square at an end of a row; ``rank`` and ``file``, of names like a1. ``own``: of the
    names that the variant itself gives its squares; ``algebraic``: of names by file and rank.
    """

    x: float
    y: float
    text: str
    kind: Literal["end", "rank", "file"]
    own: bool
    algebraic: bool


def edges(variant: Variant, bottom: Colour) -> tuple[EdgeName, ...]:
    """All that is written around the board of a variant, seen from a side; of two kinds if it has numbers."""
    own = variant.notation.algebraic
    numbers = () if own else _ends(variant, bottom)
    return (*numbers, *_ranks_and_files(variant, bottom, own=own))


def _ends(variant: Variant, bottom: Colour) -> tuple[EdgeName, ...]:
    left, right = -MARGIN, variant.board.width + MARGIN
    names: list[EdgeName] = []
    for rank in range(variant.board.height):
        row = sorted((at for at in _places(variant) if at.rank == rank), key=lambda at: at.file)
        first, last = (row[0], row[-1]) if bottom is Colour.WHITE else (row[-1], row[0])
        y = _row(variant, bottom, rank)
        names += (EdgeName(x, y, at.name, "end", True, False) for x, at in ((left, first), (right, last)))
    return tuple(names)


def _ranks_and_files(variant: Variant, bottom: Colour, *, own: bool) -> tuple[EdgeName, ...]:
    board = variant.board
    ranks = {at.rank: _called(variant, at)[1:] for at in _places(variant)}
    files = {at.file: _called(variant, at)[0] for at in _places(variant)}
    beside = (
        EdgeName(-MARGIN, _row(variant, bottom, rank), text, "rank", own, True)
        for rank, text in ranks.items()
    )
    below = (
        EdgeName(_column(variant, bottom, file), board.height + MARGIN, text, "file", own, True)
        for file, text in files.items()
    )
    return (*beside, *below)


def _places(variant: Variant) -> tuple[Square, ...]:
    return tuple(squares(variant.board, variant.notation).values())


def _called(variant: Variant, at: Square) -> str:
    return square_name(at.file, at.rank, variant.board, variant.notation)


def _row(variant: Variant, bottom: Colour, rank: int) -> float:
    return (variant.board.height - 1 - rank if bottom is Colour.WHITE else rank) + 0.5


def _column(variant: Variant, bottom: Colour, file: int) -> float:
    return (file if bottom is Colour.WHITE else variant.board.width - 1 - file) + 0.5
