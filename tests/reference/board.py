"""Where pieces stand: cells as (file, rank) from White's lower left, pieces in a dictionary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from crownhead.rules.schema import Board, Colour, Corner, Crowning, Grid, Notation, PieceKind, Variant

Cell = tuple[int, int]


class Piece(NamedTuple):
    """A piece: its side and what it is."""

    colour: Colour
    kind: PieceKind


class Run(NamedTuple):
    """The king that a side moved last, by the cell it stands on, and its simple moves in a row."""

    cell: Cell
    steps: int


Identity = tuple[Colour, frozenset[tuple[Cell, Piece]], frozenset[tuple[Colour, Run]]]


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Pieces on cells, the side to move, and the run of each side's king where such are counted."""

    variant: Variant
    turn: Colour
    pieces: Mapping[Cell, Piece]
    runs: Mapping[Colour, Run] = field(default_factory=dict)

    def of(self, colour: Colour) -> Iterator[tuple[Cell, Piece]]:
        """The pieces of one side with their cells."""
        return ((cell, piece) for cell, piece in self.pieces.items() if piece.colour is colour)

    def is_empty(self, cell: Cell) -> bool:
        """The cell is on the board and nothing stands there."""
        return is_on_board(self.variant.board, cell) and cell not in self.pieces

    def identity(self) -> Identity:
        """What must agree for two positions to be the same: side to move, every piece, every run."""
        return self.turn, frozenset(self.pieces.items()), frozenset(self.runs.items())


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
        if board.grid is not Grid.CHECKERED or (file + rank) % 2 == (0 if board.left_corner else 1)
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


def forward(variant: Variant, colour: Colour) -> int:
    """The change of rank when a man of this side steps."""
    return 1 if colour is Colour.WHITE or variant.rules.one_way else -1


def is_far_row(variant: Variant, colour: Colour, cell: Cell) -> bool:
    """The cell lies on the last row that men of this side can reach."""
    return cell[1] == (variant.board.height - 1 if forward(variant, colour) > 0 else 0)


def is_crowning_cell(variant: Variant, colour: Colour, cell: Cell) -> bool:
    """Men of this side are crowned on the cell."""
    crowning = variant.rules.crowning
    if crowning is Crowning.FAR_ROW:
        return is_far_row(variant, colour, cell)
    return crowning is Crowning.FAR_CORNER and cell in _beside_far_corner(variant, colour)


def _beside_far_corner(variant: Variant, colour: Colour) -> tuple[Cell, Cell]:
    """The two neighbours, along the edges, of the corner of the far row that is not played on."""
    last_file, last_rank = variant.board.width - 1, variant.board.height - 1
    rank, before = (last_rank, last_rank - 1) if forward(variant, colour) > 0 else (0, 1)
    played = cells(variant.board, variant.notation)
    file, beside = (0, 1) if (0, rank) not in played else (last_file, last_file - 1)
    return (file, before), (beside, rank)


def start(variant: Variant) -> Arrangement:
    """The start array of a variant."""
    pieces: dict[Cell, Piece] = {}
    for colour, numbers in ((Colour.BLACK, variant.start.black), (Colour.WHITE, variant.start.white)):
        for number in numbers:
            kind = variant.rules.marked if number in variant.start.marked else PieceKind.MAN
            assert kind is not None, "pieces are marked at the start of a game that has no such kind"
            pieces[cell_of(variant, number)] = Piece(colour, kind)
    return Arrangement(variant, variant.start.first, pieces)


def arrange(
    variant: Variant,
    turn: Colour,
    pieces: Mapping[int, tuple[Colour, PieceKind]],
    runs: Mapping[Colour, tuple[int, int]] | None = None,
) -> Arrangement:
    """An arrangement from pieces, and from runs of kings, by square number."""
    placed = {cell_of(variant, number): Piece(*piece) for number, piece in pieces.items()}
    running = {
        colour: Run(cell_of(variant, number), steps) for colour, (number, steps) in (runs or {}).items()
    }
    return Arrangement(variant, turn, placed, running)


@cache
def _numbers(board: Board, notation: Notation) -> dict[Cell, int]:
    return {cell: number for number, cell in enumerate(cells(board, notation), start=1)}
