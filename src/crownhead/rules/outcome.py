"""How a game ended and who won it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from crownhead.rules.schema import Colour


class Termination(StrEnum):
    """Why a game is over; the first six follow from the position alone."""

    NO_PIECES = "no-pieces"  # the side to move has no piece left
    NO_MOVES = "no-moves"  # the side to move has no legal move
    MULES_LOST = "mules-lost"  # a side has lost all its mules and wins
    MEN_LOST = "men-lost"  # a side has only mules left and loses
    MULE_CROWNED = "mule-crowned"  # a side's mule ended on its far row: it loses
    FIRST_KING = "first-king"  # a side has crowned a man and wins
    REPETITION = "repetition"
    NO_PROGRESS = "no-progress"
    AGREEMENT = "agreement"
    RESIGNATION = "resignation"
    TIME = "time"
    ADJUDICATION = "adjudication"
    UNKNOWN = "unknown"  # a record states a result that does not follow from its moves


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished game: ``winner`` is None for a draw."""

    winner: Colour | None
    termination: Termination

    def result(self, first: Colour) -> str:
        """Return the PDN result: ``1-0`` (the side ``first`` won), ``0-1`` or ``1/2-1/2``."""
        if self.winner is None:
            return "1/2-1/2"
        return "1-0" if self.winner is first else "0-1"
