"""Arrangements of pieces that have not been checked for legality."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from crownhead.rules.lookup import variant_of
from crownhead.rules.schema import Colour, PieceKind, Variant

_NOTHING: Mapping[Any, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True, order=True)
class Piece:
    """A piece: its colour and kind."""

    colour: Colour
    kind: PieceKind = PieceKind.MAN


class KingRun(NamedTuple):
    """The king that a side moved last, and how many times in a row (``Rules.king_run``).

    Square 0 with 0 steps: none.
    """

    square: int = 0
    steps: int = 0


@dataclass(frozen=True, slots=True, init=False)
class Setup:
    """Pieces on numbered squares and the side to move; ``Position.from_setup`` checks it."""

    variant: Variant
    turn: Colour
    pieces: Mapping[int, Piece]
    king_runs: Mapping[Colour, KingRun]  # of sides that have one

    def __init__(
        self,
        variant: str | Variant,
        turn: Colour,
        pieces: Mapping[int, Piece] = _NOTHING,
        king_runs: Mapping[Colour, KingRun] = _NOTHING,
    ) -> None:
        """``variant``: a row, or the key of one; raises ``UnknownVariant`` and ``BadVariant``."""
        object.__setattr__(self, "variant", variant_of(variant))
        object.__setattr__(self, "turn", turn)
        object.__setattr__(self, "pieces", pieces)
        object.__setattr__(self, "king_runs", king_runs)

    @property
    def variant_key(self) -> str:
        """The key of the variant."""
        return self.variant.key

    def __repr__(self) -> str:
        """Return a description with the key of the variant alone, whose row has many columns."""
        return f"Setup({self.variant_key!r}, {self.turn!r}, {dict(self.pieces)!r}, {dict(self.king_runs)!r})"

    def __hash__(self) -> int:
        runs = frozenset(self.king_runs.items())
        return hash((self.variant, self.turn, frozenset(self.pieces.items()), runs))

    def __reduce__(self) -> tuple[Any, ...]:
        # A mapping proxy cannot be pickled; a dict can.
        return Setup, (self.variant, self.turn, dict(self.pieces), dict(self.king_runs))
