"""Directions as they lie on the board: what leads from a cell to the next, for a side and a purpose."""

from __future__ import annotations

from collections.abc import Iterator, Set

from crownhead.rules.schema import Board, Colour, Direction, Grid, PieceKind, Variant
from tests.reference.board import Cell, forward, is_on_board

# For a side that moves up the board.
_VECTORS: dict[Direction, Cell] = {
    Direction.FORWARD_LEFT: (-1, 1),
    Direction.FORWARD: (0, 1),
    Direction.FORWARD_RIGHT: (1, 1),
    Direction.LEFT: (-1, 0),
    Direction.RIGHT: (1, 0),
    Direction.BACKWARD_LEFT: (-1, -1),
    Direction.BACKWARD: (0, -1),
    Direction.BACKWARD_RIGHT: (1, -1),
}
_PARACHUTE = frozenset({Direction.BACKWARD_LEFT, Direction.BACKWARD_RIGHT})


def ways(variant: Variant, colour: Colour, directions: Set[Direction], cell: Cell) -> Iterator[Cell]:
    """The vectors by which a piece of this side may leave the cell, among these directions."""
    turned = forward(variant, colour)  # Black looks at the board the other way round
    for direction, (file, rank) in _VECTORS.items():
        if direction not in directions:
            continue
        vector = _stride(variant.board, (turned * file, turned * rank))
        if _is_drawn(variant.board, cell, vector):
            yield vector


def capturing_directions(variant: Variant, kind: PieceKind, *, again: bool) -> frozenset[Direction]:
    """Where a piece may capture, first or ``again`` in the same move."""
    rules = variant.rules
    if kind is PieceKind.KING:
        return rules.king_captures
    if kind is PieceKind.PARACHUTIST:
        return frozenset() if again else _PARACHUTE
    if again and rules.man_goes_on is not None:
        return rules.man_goes_on
    return rules.man_captures


def along(board: Board, cell: Cell, vector: Cell) -> Iterator[Cell]:
    """The cells beyond this one, one after the other, up to the edge."""
    after = (cell[0] + vector[0], cell[1] + vector[1])
    while is_on_board(board, after):
        yield after
        after = (after[0] + vector[0], after[1] + vector[1])


def _stride(board: Board, vector: Cell) -> Cell:
    """On squares of one colour, straight lines go from one to the next but one file or rank."""
    straight = 0 in vector
    scale = 2 if straight and board.grid is Grid.CHECKERED else 1
    return vector[0] * scale, vector[1] * scale


def _is_drawn(board: Board, cell: Cell, vector: Cell) -> bool:
    """Where lines are drawn, diagonals lead only through the points of the corners' colour."""
    return board.grid is not Grid.LINES or 0 in vector or sum(cell) % 2 == 0
