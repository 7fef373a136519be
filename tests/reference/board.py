"""Where pieces stand: cells as (file, rank) from White's lower left, pieces in a dictionary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from crownhead.rules.schema import Board, Colour, Corner, Notation, PieceKind, Variant

Cell = tuple[int, int]
DIAGONALS: tuple[Cell, ...] = ((-1, 1), (1, 1), (-1, -1), (1, -1))


class Piece(NamedTuple):
    """A piece: its side and what it is."""

    colour: Colour
    kind: PieceKind


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Pieces on cells and the side to move."""

    variant: Variant
    turn: Colour
    pieces: Mapping[Cell, Piece]

    def of(self, colour: Colour) -> Iterator[tuple[Cell, Piece]]:
        """The pieces of one side with their cells."""
        return ((cell, piece) for cell, piece in self.pieces.items() if piece.colour is colour)

    def is_empty(self, cell: Cell) -> bool:
        """The cell is on the board and nothing stands there."""
        return is_on_board(self.variant.board, cell) and cell not in self.pieces

    def identity(self) -> tuple[Colour, frozenset[tuple[Cell, Piece]]]:
        """What must agree for two positions to be the same: side to move, every piece in its place."""
        return self.turn, frozenset(self.pieces.items())


def is_on_board(board: Board, cell: Cell) -> bool:
    """The cell lies within the board's edges."""
    return 0 <= cell[0] < board.width and 0 <= cell[1] < board.height


@cache
def cells(board: Board, notation: Notation) -> tuple[Cell, ...]:
    """The cells that are played on, in the order of their numbers from 1."""
    played = [
        (file, rank)
        for file in range(board.width)
        for rank in range(board.height)
        if (file + rank) % 2 == (0 if board.left_corner else 1)
    ]
    corner = notation.first_square
    file_sign = 1 if corner in (Corner.TOP_LEFT, Corner.BOTTOM_LEFT) else -1
    rank_sign = 1 if corner in (Corner.BOTTOM_LEFT, Corner.BOTTOM_RIGHT) else -1
    return tuple(sorted(played, key=lambda cell: (rank_sign * cell[1], file_sign * cell[0])))


def cell_of(variant: Variant, number: int) -> Cell:
    """The cell of a square number."""
    return cells(variant.board, variant.notation)[number - 1]


def number_of(variant: Variant, cell: Cell) -> int:
    """The square number of a cell."""
    return _numbers(variant.board, variant.notation)[cell]


def forward(colour: Colour) -> int:
    """The change of rank when a man of this side steps."""
    return 1 if colour is Colour.WHITE else -1


def is_far_row(variant: Variant, colour: Colour, cell: Cell) -> bool:
    """The cell lies on the row where this side's men are crowned."""
    return cell[1] == (variant.board.height - 1 if colour is Colour.WHITE else 0)


def start(variant: Variant) -> Arrangement:
    """The start array of a variant."""
    pieces: dict[Cell, Piece] = {}
    for colour, numbers in ((Colour.BLACK, variant.start.black), (Colour.WHITE, variant.start.white)):
        for number in numbers:
            kind = PieceKind.MULE if number in variant.start.mules else PieceKind.MAN
            pieces[cell_of(variant, number)] = Piece(colour, kind)
    return Arrangement(variant, variant.start.first, pieces)


def arrange(variant: Variant, turn: Colour, pieces: Mapping[int, tuple[Colour, PieceKind]]) -> Arrangement:
    """An arrangement from pieces by square number."""
    placed = {cell_of(variant, number): Piece(*piece) for number, piece in pieces.items()}
    return Arrangement(variant, turn, placed)


def from_fen(variant: Variant, fen: str) -> Arrangement:
    """An arrangement from a well-formed FEN in plain numbers, without ranges."""
    turn, *sides = fen.rstrip(".").split(":")
    pieces: dict[int, tuple[Colour, PieceKind]] = {}
    for side in sides:
        for token in filter(None, side[1:].split(",")):
            kind = _KINDS.get(token[0], PieceKind.MAN)
            pieces[int(token.lstrip("KM"))] = (_COLOURS[side[0]], kind)
    return arrange(variant, _COLOURS[turn], pieces)


def to_fen(arrangement: Arrangement) -> str:
    """The FEN in plain numbers."""
    sides = (letter + ",".join(_tokens(arrangement, colour)) for letter, colour in reversed(_COLOURS.items()))
    return f"{arrangement.turn.letter}:{':'.join(sides)}"


def _tokens(arrangement: Arrangement, colour: Colour) -> Iterable[str]:
    letters = {kind: letter for letter, kind in _KINDS.items()}
    numbered = sorted((number_of(arrangement.variant, cell), piece) for cell, piece in arrangement.of(colour))
    return (f"{letters.get(piece.kind, '')}{number}" for number, piece in numbered)


@cache
def _numbers(board: Board, notation: Notation) -> dict[Cell, int]:
    return {cell: number for number, cell in enumerate(cells(board, notation), start=1)}


_COLOURS = {"B": Colour.BLACK, "W": Colour.WHITE}
_KINDS = {"K": PieceKind.KING, "M": PieceKind.MULE}
