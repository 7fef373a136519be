"""Captures: every way to jump on until the law lets the piece stop.

No piece is taken twice, and the cell that the capturing piece left is empty meanwhile. Pieces taken
stand in the way until the move is over, or leave the board at once, as the rules say.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from crownhead.rules.schema import Landing, PieceKind, Promotion, Removal
from tests.reference.board import Arrangement, Cell, Piece, is_crowning_cell
from tests.reference.lines import along, capturing_directions, ways

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
    heading: Cell = (0, 0)  # the vector of the last jump
    crowned: bool = False
    over: bool = False  # the law ends the move here, whatever could still be taken

    @property
    def cell(self) -> Cell:
        """Where the piece stands now."""
        return self.landings[-1] if self.landings else self.origin


Meeting = tuple[Cell, frozenset[Cell], Piece, Cell, tuple[bool, ...]]
Jump = tuple[Cell, Cell, list[Cell]]  # the vector, the piece taken, the cells to land on


def captures(
    arrangement: Arrangement, origin: Cell, *, patience: int = PATIENCE, every_route: bool = True
) -> Iterator[Capture]:
    """All captures of the piece on ``origin``, carried through; raises ``TooSlow``.

    Unless ``every_route`` is asked for, one of those that meet with the same pieces taken stands for all.
    """
    piece = arrangement.pieces[origin]
    others = {cell: other for cell, other in arrangement.pieces.items() if cell != origin}
    board = replace(arrangement, pieces=others)
    pending = [Capture(origin, (), (), piece)]
    seen: set[Meeting] = set()
    for _ in range(patience):
        if not pending:
            return
        capture = pending.pop()
        following = list(_following(board, capture))
        if not every_route:
            following = [after for after in following if _is_new(board, after, seen)]
        pending.extend(following)
        if capture.taken and not any(True for _ in _jumps(board, capture)):
            yield _crowned_at_rest(arrangement, capture)
    raise TooSlow(f"more than {patience} jumps from {origin}")


def _is_new(board: Arrangement, capture: Capture, seen: set[Meeting]) -> bool:
    """No capture has come by with the same way on and the same rank; notes this one."""
    kings = tuple(board.pieces[cell].kind is PieceKind.KING for cell in capture.taken)
    meeting = (capture.cell, frozenset(capture.taken), capture.piece, capture.heading, kings)
    new = meeting not in seen
    seen.add(meeting)
    return new


def _following(board: Arrangement, capture: Capture) -> Iterator[Capture]:
    """The capture one jump further. Of the landings behind a piece, only those that go on, if any do."""
    for vector, victim, landings in _jumps(board, capture):
        jumped = [_jump(board, capture, (vector, victim), landing) for landing in landings]
        going_on = [after for after in jumped if any(True for _ in _jumps(board, after))]
        yield from going_on or jumped[: _choice_at_rest(board, victim)]


def _choice_at_rest(board: Arrangement, victim: Cell) -> int | None:
    """How many of the cells behind the last piece taken the capture may end on, counted from it."""
    behind_last_king = board.variant.rules.landing is Landing.BEHIND_LAST_KING
    return 1 if behind_last_king and board.pieces[victim].kind is PieceKind.KING else None


def _jumps(board: Arrangement, capture: Capture) -> Iterator[Jump]:
    """What can be taken next, and where one can land behind it."""
    colour, kind = capture.piece
    if capture.over:
        return
    directions = capturing_directions(board.variant, kind, again=bool(capture.taken))
    for vector in ways(board.variant, colour, directions, capture.cell):
        if _turns_round(board, capture, vector):
            continue
        victim = _first_obstacle(board, capture, vector)
        if victim is not None and _may_take(board, capture, victim):
            landings = _landings(board, capture, victim, vector)
            if landings:
                yield vector, victim, landings


def _turns_round(board: Arrangement, capture: Capture, vector: Cell) -> bool:
    """A king that takes pieces off at once would turn by 180 degrees, where that is forbidden."""
    rules = board.variant.rules
    if rules.may_reverse or rules.removal is Removal.AFTER_MOVE or capture.piece.kind is not PieceKind.KING:
        return False
    return vector == (-capture.heading[0], -capture.heading[1])


def _first_obstacle(board: Arrangement, capture: Capture, vector: Cell) -> Cell | None:
    """The piece that stands next, at any distance for a king that flies."""
    for cell in along(board.variant.board, capture.cell, vector):
        if not _is_free(board, capture, cell):
            return cell
        if not _flies(board, capture.piece):
            return None
    return None


def _is_free(board: Arrangement, capture: Capture, cell: Cell) -> bool:
    """Nothing stands there, or what stood there has been taken and has left the board."""
    gone = board.variant.rules.removal is Removal.AT_ONCE and cell in capture.taken
    return gone or board.is_empty(cell)


def _may_take(board: Arrangement, capture: Capture, cell: Cell) -> bool:
    victim = board.pieces[cell]
    if victim.colour is capture.piece.colour or cell in capture.taken:
        return False
    protected = victim.kind is PieceKind.KING and not board.variant.rules.man_captures_king
    return capture.piece.kind is PieceKind.KING or not protected


def _landings(board: Arrangement, capture: Capture, victim: Cell, vector: Cell) -> list[Cell]:
    landings: list[Cell] = []
    far = _flies(board, capture.piece) and board.variant.rules.landing is not Landing.BEHIND
    for cell in along(board.variant.board, victim, vector):
        if not _is_free(board, capture, cell) or (landings and not far):
            break
        landings.append(cell)
    return landings


def _jump(board: Arrangement, capture: Capture, over: tuple[Cell, Cell], landing: Cell) -> Capture:
    vector, victim = over
    landings, taken = (*capture.landings, landing), (*capture.taken, victim)
    after = replace(capture, landings=landings, taken=taken, heading=vector)
    if capture.piece.kind is PieceKind.PARACHUTIST:
        return replace(after, piece=Piece(capture.piece.colour, PieceKind.MAN), over=True)
    promotion = board.variant.rules.promotion
    if promotion is Promotion.PASS:
        return after
    crowned = _crowned_at_rest(board, after)
    return replace(crowned, over=crowned.crowned and promotion is Promotion.STOP)


def _crowned_at_rest(board: Arrangement, capture: Capture) -> Capture:
    """The capture with its man crowned if it stands where men are. A mule is never crowned."""
    colour, kind = capture.piece
    if kind is not PieceKind.MAN or not is_crowning_cell(board.variant, colour, capture.cell):
        return capture
    return replace(capture, piece=Piece(colour, PieceKind.KING), crowned=True)


def _flies(board: Arrangement, piece: Piece) -> bool:
    return piece.kind is PieceKind.KING and board.variant.rules.flying_king
