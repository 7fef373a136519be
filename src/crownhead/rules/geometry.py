"""The coordinates and names of the numbered squares of a variant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from crownhead.rules.schema import Board, Colour, Corner, Crowning, Notation, Rules


@dataclass(frozen=True, slots=True)
class Square:
    """A playable square: number, file and rank (from 0 at White's lower left), and name."""

    number: int
    file: int
    rank: int
    name: str


@cache
def squares(board: Board, notation: Notation) -> Mapping[int, Square]:
    """Return the playable squares by number, 1 … ``board.squares``, in order."""
    from_top = notation.first_square in (Corner.TOP_LEFT, Corner.TOP_RIGHT)
    from_left = notation.first_square in (Corner.TOP_LEFT, Corner.BOTTOM_LEFT)
    ranks = range(board.height - 1, -1, -1) if from_top else range(board.height)
    files = range(board.width) if from_left else range(board.width - 1, -1, -1)
    played = ((file, rank) for rank in ranks for file in files if board.is_played(file, rank))
    numbered = (
        Square(number, file, rank, _name(number, (file, rank), board, notation))
        for number, (file, rank) in enumerate(played, start=1)
    )
    return MappingProxyType({square.number: square for square in numbered})


@cache
def numbers_by_name(board: Board, notation: Notation) -> Mapping[str, int]:
    """Return the numbers by name: algebraic names on every board, and numbers as text (``"7"`` → 7)."""
    names: dict[str, int] = {}
    for square in squares(board, notation).values():
        names[str(square.number)] = square.number
        names[square_name(square.file, square.rank, board, notation)] = square.number
    return MappingProxyType(names)


def far_rank(board: Board, rules: Rules, colour: Colour) -> int:
    """Return the last rank that men of ``colour`` can reach."""
    return board.height - 1 if colour is Colour.WHITE or rules.one_way else 0


def is_crown_square(board: Board, rules: Rules, colour: Colour, square: Square) -> bool:
    """Whether men of ``colour`` are crowned on the square."""
    rank = far_rank(board, rules, colour)
    match rules.crowning:
        case Crowning.FAR_ROW:
            return square.rank == rank
        case Crowning.FAR_CORNER:
            file = 0 if not board.is_played(0, rank) else board.width - 1
            return abs(square.rank - rank) + abs(square.file - file) == 1
        case Crowning.NEVER:
            return False


@cache
def main_road(board: Board, notation: Notation) -> frozenset[int]:
    """Return the squares of the long diagonal from corner to corner; empty if there is none."""
    if board.width != board.height:
        return frozenset()
    last = board.width - 1
    return frozenset(
        number
        for number, square in squares(board, notation).items()
        if square.rank == (square.file if board.left_corner else last - square.file)
    )


@cache
def turned_numbers(board: Board, notation: Notation) -> Mapping[int, int]:
    """Return for each square the number of the one where it is when the board is turned by 180°."""
    placed = squares(board, notation).values()
    numbers = {(square.file, square.rank): square.number for square in placed}
    last_file, last_rank = board.width - 1, board.height - 1
    return MappingProxyType(
        {square.number: numbers[last_file - square.file, last_rank - square.rank] for square in placed}
    )


def algebraic_name(file: int, rank: int) -> str:
    """Return the algebraic name of a file and rank: ``a1`` for (0, 0)."""
    return f"{chr(ord('a') + file)}{rank + 1}"


def square_name(file: int, rank: int, board: Board, notation: Notation) -> str:
    """Return the algebraic name of a square, counted from the notation's a1 corner."""
    right = notation.a1 in (Corner.BOTTOM_RIGHT, Corner.TOP_RIGHT)
    top = notation.a1 in (Corner.TOP_LEFT, Corner.TOP_RIGHT)
    return algebraic_name(board.width - 1 - file if right else file, board.height - 1 - rank if top else rank)


def _name(number: int, at: tuple[int, int], board: Board, notation: Notation) -> str:
    return square_name(*at, board, notation) if notation.algebraic else str(number)
