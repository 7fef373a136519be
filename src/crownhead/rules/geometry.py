"""Where the numbered squares of a variant lie, and what they are called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from crownhead.rules.schema import Board, Colour, Corner, Notation


@dataclass(frozen=True, slots=True)
class Square:
    """A playable square: its number, its file and rank from 0 at White's lower left, its name."""

    number: int
    file: int
    rank: int
    name: str


@cache
def squares(board: Board, notation: Notation) -> Mapping[int, Square]:
    """The playable squares by number, 1 … ``board.squares``, in the order of the numbers."""
    from_top = notation.first_square in (Corner.TOP_LEFT, Corner.TOP_RIGHT)
    from_left = notation.first_square in (Corner.TOP_LEFT, Corner.BOTTOM_LEFT)
    ranks = range(board.height - 1, -1, -1) if from_top else range(board.height)
    files = range(board.width) if from_left else range(board.width - 1, -1, -1)
    played = ((file, rank) for rank in ranks for file in files if _is_played(board, file, rank))
    numbered = (
        Square(number, file, rank, _name(number, file, rank, algebraic=notation.algebraic))
        for number, (file, rank) in enumerate(played, start=1)
    )
    return MappingProxyType({square.number: square for square in numbered})


@cache
def numbers_by_name(board: Board, notation: Notation) -> Mapping[str, int]:
    """Algebraic names, on every board, to numbers; numeric names too (``"7"`` → 7)."""
    names: dict[str, int] = {}
    for square in squares(board, notation).values():
        names[str(square.number)] = square.number
        names[algebraic_name(square.file, square.rank)] = square.number
    return MappingProxyType(names)


def crown_rank(board: Board, colour: Colour) -> int:
    """The rank on which ``colour`` crowns its men."""
    return board.height - 1 if colour is Colour.WHITE else 0


@cache
def main_road(board: Board, notation: Notation) -> frozenset[int]:
    """The squares of the long diagonal, which runs from corner to corner; none where no diagonal does."""
    if board.width != board.height:
        return frozenset()
    last = board.width - 1
    return frozenset(
        number
        for number, square in squares(board, notation).items()
        if square.rank == (square.file if board.left_corner else last - square.file)
    )


def algebraic_name(file: int, rank: int) -> str:
    """``a1`` for (0, 0)."""
    return f"{chr(ord('a') + file)}{rank + 1}"


def _is_played(board: Board, file: int, rank: int) -> bool:
    return ((file + rank) % 2 == 0) == board.left_corner


def _name(number: int, file: int, rank: int, *, algebraic: bool) -> str:
    return algebraic_name(file, rank) if algebraic else str(number)
