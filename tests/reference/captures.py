"""Captures: every way to jump on until the law lets the piece stop.

Pieces taken stay on the board as obstacles until the move is over, none is taken twice, and the
square that the capturing piece left is empty meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from crownhead.rules.schema import PieceKind, Promotion
from tests.reference.board import DIAGONALS, Arrangement, Cell, Piece, forward, is_far_row

PATIENCE = 20_000  # jumps of one piece


class TooSlow(Exception):
    """The position has more captures than the oracle has patience for."""


@dataclass(frozen=True, slots=True)
class Capture:
    """A capture, under way or done: the cells landed on and the cells of the pieces taken, in order."""

    origin: Cell
    landings: tuple[Cell, ...]
    taken: tuple[Cell, ...]
    piece: Piece  # as it stands now
    crowned: bool = False

    @property
    def cell(self) -> Cell:
        """Where the piece stands now."""
        return self.landings[-1] if self.landings else self.origin


def captures(arrangement: Arrangement, origin: Cell, *, patience: int = PATIENCE) -> Iterator[Capture]:
    """All captures of the piece on ``origin``, carried through; raises ``TooSlow``."""
    piece = arrangement.pieces[origin]
    others = {cell: other for cell, other in arrangement.pieces.items() if cell != origin}
    board = replace(arrangement, pieces=others)
    pending = [Capture(origin, (), (), piece)]
    for _ in range(patience):
        if not pending:
            return
        capture = pending.pop()
        following = list(_following(board, capture))
        pending.extend(following)
        if capture.taken and not following:
            yield _crowned_at_rest(arrangement, capture)
    raise TooSlow(f"more than {patience} jumps from {origin}")


def _following(board: Arrangement, capture: Capture) -> Iterator[Capture]:
    """The capture one jump further. Of the landings behind a piece, only those that go on, if any do."""
    for victim, landings in _jumps(board, capture):
        jumped = [_jump(board, capture, victim, landing) for landing in landings]
        going_on = [after for after in jumped if any(True for _ in _jumps(board, after))]
        yield from going_on or jumped


def _jumps(board: Arrangement, capture: Capture) -> Iterator[tuple[Cell, list[Cell]]]:
    """What can be taken next, and where one can land behind it."""
    if capture.taken and capture.crowned and board.variant.rules.promotion is Promotion.STOP:
        return
    for direction in DIAGONALS:
        if not _may_jump_towards(board, capture.piece, direction):
            continue
        victim = _first_obstacle(board, capture, direction)
        if _may_take(board, capture, victim):
            landings = _landings(board, capture, victim, direction)
            if landings:
                yield victim, landings


def _may_jump_towards(board: Arrangement, piece: Piece, direction: Cell) -> bool:
    if piece.kind is PieceKind.KING or board.variant.rules.man_captures_backward:
        return True
    return direction[1] == forward(piece.colour)


def _first_obstacle(board: Arrangement, capture: Capture, direction: Cell) -> Cell:
    cell = _next(capture.cell, direction)
    while _flies(board, capture.piece) and board.is_empty(cell):
        cell = _next(cell, direction)
    return cell


def _may_take(board: Arrangement, capture: Capture, cell: Cell) -> bool:
    victim = board.pieces.get(cell)
    if victim is None or victim.colour is capture.piece.colour or cell in capture.taken:
        return False
    protected = victim.kind is PieceKind.KING and not board.variant.rules.man_captures_king
    return capture.piece.kind is PieceKind.KING or not protected


def _landings(board: Arrangement, capture: Capture, victim: Cell, direction: Cell) -> list[Cell]:
    landings: list[Cell] = []
    cell = _next(victim, direction)
    while board.is_empty(cell) and (not landings or _flies(board, capture.piece)):
        landings.append(cell)
        cell = _next(cell, direction)
    return landings


def _jump(board: Arrangement, capture: Capture, victim: Cell, landing: Cell) -> Capture:
    after = replace(capture, landings=(*capture.landings, landing), taken=(*capture.taken, victim))
    if board.variant.rules.promotion is Promotion.PASS:
        return after
    return _crowned_at_rest(board, after)


def _crowned_at_rest(board: Arrangement, capture: Capture) -> Capture:
    """The capture with its man crowned if it stands on the far row. A mule is never crowned."""
    colour, kind = capture.piece
    if kind is not PieceKind.MAN or not is_far_row(board.variant, colour, capture.cell):
        return capture
    return replace(capture, piece=Piece(colour, PieceKind.KING), crowned=True)


def _flies(board: Arrangement, piece: Piece) -> bool:
    return piece.kind is PieceKind.KING and board.variant.rules.flying_king


def _next(cell: Cell, direction: Cell) -> Cell:
    return cell[0] + direction[0], cell[1] + direction[1]
