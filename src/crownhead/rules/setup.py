"""Any arrangement of pieces, before anybody has asked whether it makes sense."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from crownhead.rules.schema import Colour, PieceKind


@dataclass(frozen=True, slots=True, order=True)
class Piece:
    """A piece: its side and what it is."""

    colour: Colour
    kind: PieceKind = PieceKind.MAN


class KingRun(NamedTuple):
    """The king that a side has moved last, and how many steps in a row it has made (``Rules.king_run``).

    No steps, on square 0: nothing runs.
    """

    square: int = 0
    steps: int = 0


@dataclass(frozen=True, slots=True)
class Setup:
    """Pieces on numbered squares and the side to move; ``Position.from_setup`` judges it."""

    variant_key: str
    turn: Colour
    pieces: Mapping[int, Piece] = field(default_factory=dict)
    king_runs: Mapping[Colour, KingRun] = field(default_factory=dict)  # of the sides that have one

    def __hash__(self) -> int:
        runs = frozenset(self.king_runs.items())
        return hash((self.variant_key, self.turn, frozenset(self.pieces.items()), runs))

    def __reduce__(self) -> tuple[Any, ...]:
        # The view of a mapping that nobody may change cannot be pickled; what it shows can.
        return Setup, (self.variant_key, self.turn, dict(self.pieces), dict(self.king_runs))
