"""How a position by itself ends the game: the general rule, reversed rules, the first king, Mule."""

from __future__ import annotations

from typing import NamedTuple

from crownhead.rules.schema import Colour, Objective, PieceKind
from tests.reference.board import Arrangement, is_far_row


class Ending(NamedTuple):
    """The side that won and why, in the words of the library's terminations."""

    winner: Colour
    reason: str


def ending(arrangement: Arrangement, *, has_moves: bool) -> Ending | None:
    """The ending that the position is, if it is one; ``has_moves``: the side to move has a legal move."""
    decided = _by_pieces(arrangement)
    if decided is not None:
        return decided
    return None if has_moves else _stuck(arrangement, "no-moves")


def is_decided_by_pieces(arrangement: Arrangement) -> bool:
    """Endings that follow from the pieces alone, even if a side could still move."""
    return _by_pieces(arrangement) is not None


def _by_pieces(arrangement: Arrangement) -> Ending | None:
    if not any(arrangement.of(arrangement.turn)):
        return _stuck(arrangement, "no-pieces")
    if arrangement.variant.rules.objective is Objective.FIRST_KING:
        return _by_first_king(arrangement)
    return _by_mules(arrangement) if arrangement.variant.rules.marked is PieceKind.MULE else None


def _by_first_king(arrangement: Arrangement) -> Ending | None:
    """A side that has a king has won, the one that has just moved before the other."""
    for side in (arrangement.turn.opponent, arrangement.turn):
        if any(piece.kind is PieceKind.KING for _, piece in arrangement.of(side)):
            return Ending(side, "first-king")
    return None


def _stuck(arrangement: Arrangement, reason: str) -> Ending:
    """The side to move has nothing to move: it has lost, or won where the aim is reversed."""
    reversed_aim = arrangement.variant.rules.objective is Objective.MOVER_WINS
    return Ending(arrangement.turn if reversed_aim else arrangement.turn.opponent, reason)


def _by_mules(arrangement: Arrangement) -> Ending | None:
    """The special endings in their order; the side to move, which may just have lost a piece, first."""
    sides = (arrangement.turn, arrangement.turn.opponent)
    for side in sides:
        if _regulars(arrangement, side) and not _mules(arrangement, side):
            return Ending(side, "mules-lost")
    for side in sides:
        if not _regulars(arrangement, side):
            return Ending(side.opponent, "men-lost")
    for side in sides:
        if _has_mule_on_far_row(arrangement, side):
            return Ending(side.opponent, "mule-crowned")
    return None


def _mules(arrangement: Arrangement, side: Colour) -> int:
    return sum(piece.kind is PieceKind.MULE for _, piece in arrangement.of(side))


def _regulars(arrangement: Arrangement, side: Colour) -> int:
    return sum(piece.kind is not PieceKind.MULE for _, piece in arrangement.of(side))


def _has_mule_on_far_row(arrangement: Arrangement, side: Colour) -> bool:
    return any(
        piece.kind is PieceKind.MULE and is_far_row(arrangement.variant, side, cell)
        for cell, piece in arrangement.of(side)
    )
