"""Any arrangement of pieces, before anybody has asked whether it makes sense."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from crownhead.rules.schema import Colour, PieceKind


@dataclass(frozen=True, slots=True, order=True)
class Piece:
    """A piece: its side and what it is."""

    colour: Colour
    kind: PieceKind = PieceKind.MAN


@dataclass(frozen=True, slots=True)
class Setup:
    """Pieces on numbered squares and the side to move; ``Position.from_setup`` judges it."""

    variant_key: str
    turn: Colour
    pieces: Mapping[int, Piece] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.variant_key, self.turn, frozenset(self.pieces.items())))

    def __reduce__(self) -> tuple[Any, ...]:
        # The view of a mapping that nobody may change cannot be pickled; what it shows can.
        return Setup, (self.variant_key, self.turn, dict(self.pieces))
