"""Moves without a capture: steps, flights of kings, men that pass over a line of their own."""

from __future__ import annotations

from collections.abc import Iterator

from crownhead.rules.schema import PieceKind
from tests.reference.board import Arrangement, Cell, Piece, is_far_row
from tests.reference.lines import along, ways


def steps(arrangement: Arrangement, origin: Cell) -> Iterator[Cell]:
    """The cells that the piece on ``origin`` may step to."""
    piece = arrangement.pieces[origin]
    if piece.kind is PieceKind.PARACHUTIST:
        return
    if piece.kind is PieceKind.KING:
        yield from _steps_of_king(arrangement, origin)
    elif not _rests(arrangement, origin):
        yield from _steps_of_man(arrangement, origin)


def _steps_of_king(arrangement: Arrangement, origin: Cell) -> Iterator[Cell]:
    rules, colour = arrangement.variant.rules, arrangement.pieces[origin].colour
    if _is_tired(arrangement, origin):
        return
    for vector in ways(arrangement.variant, colour, rules.king_steps, origin):
        for target in along(arrangement.variant.board, origin, vector):
            if not arrangement.is_empty(target):
                break
            yield target
            if not rules.flying_king:
                break


def _steps_of_man(arrangement: Arrangement, origin: Cell) -> Iterator[Cell]:
    rules, colour = arrangement.variant.rules, arrangement.pieces[origin].colour
    for vector in ways(arrangement.variant, colour, rules.man_steps, origin):
        for target in along(arrangement.variant.board, origin, vector):
            if arrangement.is_empty(target):
                yield target
            if not (rules.lines_step and _is_own_man(arrangement, target)):
                break


def _is_own_man(arrangement: Arrangement, cell: Cell) -> bool:
    """A man of the side to move, or a mule, but nobody who waits for a parachute."""
    own = {Piece(arrangement.turn, kind) for kind in (PieceKind.MAN, PieceKind.MULE)}
    return arrangement.pieces.get(cell) in own


def _rests(arrangement: Arrangement, origin: Cell) -> bool:
    """A man that has gone all the way does not step any more, where that is the rule."""
    colour = arrangement.pieces[origin].colour
    return arrangement.variant.rules.rests_on_far_row and is_far_row(arrangement.variant, colour, origin)


def _is_tired(arrangement: Arrangement, origin: Cell) -> bool:
    """The king has made as many simple moves in a row as its side may."""
    most, run = arrangement.variant.rules.king_run, arrangement.runs.get(arrangement.turn)
    return most > 0 and run is not None and run.cell == origin and run.steps >= most
