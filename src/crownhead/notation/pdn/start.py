"""The position that a record is put up with; a man where men are crowned is read as the king it must be.

Old problem books forgot to mark a king now and then. A position cannot hold such a man, so it is crowned and
that is told; the record itself keeps its FEN.
"""

from __future__ import annotations

from dataclasses import replace

from crownhead.notation import fen as fens
from crownhead.notation.numberings import Numbering, names
from crownhead.rules.errors import CrownheadError, IllegalPosition, NotationError
from crownhead.rules.geometry import is_crown_square, squares
from crownhead.rules.position import Position
from crownhead.rules.schema import PieceKind, Variant
from crownhead.rules.setup import Piece, Setup


def start_position(fen: str, variant: Variant) -> tuple[Position, NotationError | None]:
    """The position of a FEN, and what is to be told where a man has been crowned.

    Raises ``NotationError`` and ``IllegalPosition``.
    """
    setup = fens.read(fen, variant.key)
    try:
        return Position.from_setup(setup), None
    except IllegalPosition:
        kings = _overdue(setup, variant)
        if not kings:
            raise
    position = Position.from_setup(_crowned(setup, kings))
    listed = ", ".join(names(variant.key)[number] for number in kings)
    return position, NotationError(f"a king on {listed}, where men are crowned", fen)


def start_fen(fen: str, start: Position, numbering: Numbering = Numbering.NATIVE) -> str:
    """The FEN of a start, as it was recorded in ``fen`` where that says the same but for a crown."""
    setup = start.setup()
    try:
        recorded = fens.read(fen, start.variant_key)
    except CrownheadError:
        recorded = setup
    kings = _overdue(recorded, start.variant)
    return fens.write(recorded if kings and _crowned(recorded, kings) == setup else setup, numbering)


def _overdue(setup: Setup, variant: Variant) -> tuple[int, ...]:
    """The squares of men that would have been crowned there."""
    places = squares(variant.board, variant.notation)
    return tuple(
        number
        for number, piece in setup.pieces.items()
        if piece.kind is PieceKind.MAN
        and number in places
        and is_crown_square(variant.board, variant.rules, piece.colour, places[number])
    )


def _crowned(setup: Setup, kings: tuple[int, ...]) -> Setup:
    crowned = {number: Piece(setup.pieces[number].colour, PieceKind.KING) for number in kings}
    return replace(setup, pieces={**setup.pieces, **crowned})
