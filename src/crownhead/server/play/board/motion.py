"""What stands where while a move is under way, and as what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from crownhead import Move, Piece, PieceKind, Variant
from crownhead.rules.geometry import is_crown_square, squares
from crownhead.rules.schema import Promotion, Removal
from crownhead.server.play.board.touch import Path
from crownhead.server.play.board.words import takes_itself_off


@dataclass(frozen=True, slots=True)
class Placement:
    """What stands where, what has just been taken, and by which move."""

    pieces: Mapping[int, Piece]
    ghosts: Mapping[int, Piece] = field(default_factory=dict)
    last: Move | None = None

    def along(self, move: Move, path: Path, variant: Variant) -> Placement:
        """With the moving piece on its way along ``path``.

        What it has taken stands there as a ghost where the law leaves it on the board until the move is over.
        """
        if len(path) < 2:
            return Placement(self.pieces, {}, self.last)
        taken = {square: self.pieces[square] for square in move.captures[: len(path) - 1]}
        pieces = {square: piece for square, piece in self.pieces.items() if square not in taken}
        if not takes_itself_off(move):
            piece = pieces.pop(path[0])
            pieces[path[-1]] = replace(piece, kind=kinds_along(move, piece, variant)[len(path) - 1])
        return Placement(pieces, taken if taken_pieces_stay(variant) else {}, move)


def taken_pieces_stay(variant: Variant) -> bool:
    """Pieces taken stand in the way until the move is over."""
    return variant.rules.removal is Removal.AFTER_MOVE


def kinds_along(move: Move, piece: Piece, variant: Variant) -> tuple[PieceKind, ...]:
    """As what a piece stands on each square of the path of its move."""
    steps = len(move.path)
    if not move.crowns:
        # A parachutist is a man from its one capture on.
        after = PieceKind.MAN if piece.kind is PieceKind.PARACHUTIST else piece.kind
        return (piece.kind, *(after,) * (steps - 1))
    crowned = steps - 1
    if variant.rules.promotion is Promotion.CONTINUE:
        places = squares(variant.board, variant.notation)
        crowned = next(
            (
                at
                for at, square in enumerate(move.path)
                if at and is_crown_square(variant.board, variant.rules, piece.colour, places[square])
            ),
            crowned,
        )
    return (piece.kind,) * crowned + (PieceKind.KING,) * (steps - crowned)
