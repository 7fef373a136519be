"""Pieces set up freely on a board, and whether the rules allow the position."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from crownhead import (
    VARIANTS,
    Colour,
    CrownheadError,
    IllegalPosition,
    Piece,
    PieceKind,
    Position,
    Setup,
    Variant,
)
from crownhead.notation import fen
from crownhead.rules.geometry import squares
from crownhead.rules.schema import Crowning
from crownhead.server.pages.presenters.fen import fen_of
from crownhead.server.play.presenters.board.boards import piece_from_code
from crownhead.server.play.presenters.board.diagrams import bottom_of
from crownhead.server.play.problems.reasons import position_fault, refusal

_MAX_REASONS = 12
_SQUARE = re.compile(r"\bsquare (\d+)")


@dataclass(frozen=True, slots=True)
class Arrangement:
    """What an address of the editor holds: the pieces, the side to move, and whether the board is flipped."""

    setup: Setup
    flip: bool = False

    @classmethod
    def of(cls, query: QueryDict) -> Arrangement:
        """Read an address and apply its touched square; raises ``Unprocessable``."""
        variant, text = query.get("variant", next(iter(VARIANTS))), fen_of(query)
        try:
            setup = fen.read(text, variant) if text else Position.start(variant).setup()
        except CrownheadError as error:
            raise refusal(error) from error
        if (turn := query.get("turn")) in set(Colour):
            setup = replace(setup, turn=Colour(turn))
        return cls(setup, "flip" in query).touched(query.get("at", ""), query.get("put", ""))

    @classmethod
    def of_position(cls, position: Position, *, flip: bool = False) -> Arrangement:
        """The pieces of a position."""
        return cls(position.setup(), flip)

    def touched(self, square: str, code: str) -> Arrangement:
        """Put the piece with that code on a square, or remove it if it is already there."""
        if not square.isascii() or not square.isdecimal() or len(square) > 3:
            return self
        number, piece = int(square), piece_from_code(code)
        if number not in squares(self.variant.board, self.variant.notation):
            return self
        pieces = {at: there for at, there in self.setup.pieces.items() if at != number}
        if piece is not None and self.setup.pieces.get(number) != piece:
            pieces[number] = piece
        runs = {
            colour: run
            for colour, run in self.setup.king_runs.items()
            if pieces.get(run.square) == Piece(colour, PieceKind.KING)
        }
        return replace(self, setup=replace(self.setup, pieces=pieces, king_runs=runs))

    @property
    def variant(self) -> Variant:
        """The variant of the board."""
        return VARIANTS[self.setup.variant_key]

    @property
    def bottom(self) -> Colour:
        """The side at the bottom: the one that begins games, unless the board is flipped."""
        bottom = bottom_of(self.variant, self.variant.start.first)
        return bottom.opponent if self.flip else bottom

    @property
    def text(self) -> str:
        """The FEN."""
        return fen.write(self.setup)

    def address(self, *, setup: bool) -> str:
        """The address of the analysis board with this arrangement, to be ``setup`` further or to play on."""
        values = {"variant": self.setup.variant_key, "fen": self.text}
        modes = {name: 1 for name, wanted in (("flip", self.flip), ("setup", setup)) if wanted}
        return f"{reverse('pages:analysis')}?{urlencode({**values, **modes})}"

    def emptied(self) -> Arrangement:
        """The board without pieces."""
        return replace(self, setup=Setup(self.setup.variant_key, self.setup.turn))

    def at_the_start(self) -> Arrangement:
        """The pieces as a game begins."""
        return replace(self, setup=Position.start(self.variant).setup())


@dataclass(frozen=True, slots=True)
class Validation:
    """The position and how many moves it has, or why it is not allowed; ``faults``: the offending squares."""

    position: Position | None
    moves: int = 0
    reasons: tuple[str, ...] = ()
    faults: tuple[int, ...] = ()


def validate(setup: Setup) -> Validation:
    """Check the rules, again without each offending piece, so that all problems are listed at once."""
    reasons: list[str] = []
    faults: list[int] = []
    pieces = dict(setup.pieces)
    while len(reasons) < _MAX_REASONS:
        try:
            position = Position.from_setup(replace(setup, pieces=pieces))
            moves = len(position.legal_moves())  # a crafted board may have too many captures
        except IllegalPosition as error:
            reasons.append(position_fault(error) or refusal(error).message)
            meant = _SQUARE.search(str(error))
            if not meant or pieces.pop(int(meant[1]), None) is None:
                break
            faults.append(int(meant[1]))
        except CrownheadError as error:
            reasons.append(refusal(error).message)
            break
        else:
            if not reasons:
                return Validation(position, moves)
            break
    return Validation(None, reasons=tuple(reasons), faults=tuple(faults))


def kinds(variant: Variant) -> tuple[Piece, ...]:
    """The pieces that can stand on a board of the variant, White's first."""
    rules = variant.rules
    kings = () if rules.crowning is Crowning.NEVER else (PieceKind.KING,)
    marked = (rules.marked,) if rules.marked else ()
    all_kinds = (PieceKind.MAN, *marked, *kings)
    return tuple(Piece(colour, kind) for colour in (Colour.WHITE, Colour.BLACK) for kind in all_kinds)
