"""Arrangements of pieces that have not been checked for legality."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from crownhead.rules.schema import Colour, PieceKind


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


@dataclass(frozen=True, slots=True)
class Setup:
    """Pieces on numbered squares and the side to move; ``Position.from_setup`` checks it."""

    variant_key: str
    turn: Colour
    pieces: Mapping[int, Piece] = field(default_factory=dict)
    king_runs: Mapping[Colour, KingRun] = field(default_factory=dict)  # of sides that have one

    def __hash__(self) -> int:
        runs = frozenset(self.king_runs.items())
        return hash((self.variant_key, self.turn, frozenset(self.pieces.items()), runs))

    def __reduce__(self) -> tuple[Any, ...]:
        # A mapping proxy cannot be pickled; a dict can.
        return Setup, (self.variant_key, self.turn, dict(self.pieces), dict(self.king_runs))
