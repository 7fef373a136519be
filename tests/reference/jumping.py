"""The game in which one only jumps: two removals at first, then jumps that keep to one line."""

from __future__ import annotations

from collections.abc import Iterator

from tests.reference.board import Arrangement, Cell, Piece, cells, is_on_board
from tests.reference.captures import Capture
from tests.reference.lines import along, capturing_directions, ways


def removals(arrangement: Arrangement) -> list[Cell]:
    """The pieces that the side to move may take off, while fewer than two cells are empty."""
    board = arrangement.variant.board
    played = cells(board, arrangement.variant.notation)
    gaps = [cell for cell in played if arrangement.is_empty(cell)]
    if not gaps:
        candidates = [*_corners(arrangement), *_centre(arrangement)]
    elif len(gaps) == 1:
        candidates = _neighbours(arrangement, gaps[0])
    else:
        return []
    return [cell for cell in candidates if arrangement.pieces[cell].colour is arrangement.turn]


def is_opening(arrangement: Arrangement) -> bool:
    """Fewer than two cells are empty, so that a piece is taken off instead of a jump."""
    played = cells(arrangement.variant.board, arrangement.variant.notation)
    return len(played) - len(arrangement.pieces) < 2


def straight_jumps(arrangement: Arrangement, origin: Cell) -> Iterator[Capture]:
    """The jumps of a piece along one row or file, each of which may be the last of the move."""
    variant, piece = arrangement.variant, arrangement.pieces[origin]
    directions = capturing_directions(variant, piece.kind, again=False)
    for vector in ways(variant, piece.colour, directions, origin):
        yield from _jumps_along(arrangement, origin, vector)


def _jumps_along(arrangement: Arrangement, origin: Cell, vector: Cell) -> Iterator[Capture]:
    piece, ahead = arrangement.pieces[origin], list(along(arrangement.variant.board, origin, vector))
    taken: list[Cell] = []
    landings: list[Cell] = []
    for victim, landing in zip(ahead[::2], ahead[1::2], strict=False):
        if not _is_enemy(arrangement, victim, piece) or not arrangement.is_empty(landing):
            return
        taken.append(victim)
        landings.append(landing)
        yield Capture(origin, tuple(landings), tuple(taken), piece, vector)


def _is_enemy(arrangement: Arrangement, cell: Cell, piece: Piece) -> bool:
    other = arrangement.pieces.get(cell)
    return other is not None and other.colour is not piece.colour


def _corners(arrangement: Arrangement) -> list[Cell]:
    board = arrangement.variant.board
    return [(file, rank) for file in (0, board.width - 1) for rank in (0, board.height - 1)]


def _centre(arrangement: Arrangement) -> list[Cell]:
    files, ranks = arrangement.variant.board.width // 2, arrangement.variant.board.height // 2
    return [(file, rank) for file in (files - 1, files) for rank in (ranks - 1, ranks)]


def _neighbours(arrangement: Arrangement, cell: Cell) -> list[Cell]:
    file, rank = cell
    beside = [(file - 1, rank), (file + 1, rank), (file, rank - 1), (file, rank + 1)]
    return [other for other in beside if is_on_board(arrangement.variant.board, other)]
