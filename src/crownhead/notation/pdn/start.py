"""The start position of a record, in which a man on its far row is read as a king.

Old problem books sometimes forgot to mark a king. Such a man is not legal, so it is crowned and
this is reported; the record itself keeps its FEN.
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


def start_position(
    fen: str, variant: Variant, numbering: Numbering = Numbering.NATIVE
) -> tuple[Position, NotationError | None]:
    """Return the position for a FEN, and an error to report if a man had to be crowned.

    Raises ``NotationError`` and ``IllegalPosition``.
    """
    setup = fens.read(fen, variant, numbering)
    try:
        return Position.from_setup(setup), None
    except IllegalPosition:
        kings = _overdue(setup, variant)
        if not kings:
            raise
    position = Position.from_setup(_crowned(setup, kings))
    listed = ", ".join(names(variant, numbering)[number] for number in kings)
    return position, NotationError(f"a king on {listed}, where men are crowned", fen)


def start_fen(
    fen: str,
    start: Position,
    numbering: Numbering = Numbering.NATIVE,
    *,
    recorded_in: Numbering = Numbering.NATIVE,
) -> str:
    """Return the FEN of a start position in ``numbering``.

    ``fen`` is the recorded one, in the numbering ``recorded_in``; it is kept if it differs only in crowns.
    """
    setup = start.setup()
    try:
        recorded = fens.read(fen, start.variant, recorded_in)
    except CrownheadError:
        recorded = setup
    kings = _overdue(recorded, start.variant)
    return fens.write(recorded if kings and _crowned(recorded, kings) == setup else setup, numbering)


def _overdue(setup: Setup, variant: Variant) -> tuple[int, ...]:
    """Return the squares of men that should have been crowned."""
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
