"""Time management: what of a player's clock a search may use."""

from __future__ import annotations

import math
from dataclasses import dataclass

from crownhead.engine.errors import EngineError

_MOVES_AHEAD = 25  # of ours still to come, where the number is not given
_MOST = 0.25  # of the clock that one move may take at most
_SOFT, _HARD = 0.6, 3.0  # times its share that a move wants, and that it may take at most: decision 46
_DELAY = 0.05  # seconds that a move may take on its way to the opponent
_LEAST = 0.01  # seconds for a move, while the clock has enough of them
_WHERE_PONDERED = 1.25  # times the time, where the search goes on while the opponent thinks


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a search may use: the seconds it wants and those it must not exceed.

    After ``soft`` seconds it begins no new iteration; sooner where the best move has long been the same,
    later where it has just changed or its score has fallen. At ``hard`` seconds it stops wherever it is.
    """

    soft: float
    hard: float

    def at_most(self, seconds: float) -> Allowance:
        """The allowance, but no longer than so many seconds."""
        return Allowance(min(self.soft, seconds), min(self.hard, seconds))


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of the side to move: the seconds left, those added with each move, and the moves to make.

    ``moves`` 0: all that are to come. ``ponders``: the search goes on while the opponent thinks. Raises
    ``EngineError`` for anything but numbers from 0.
    """

    left: float
    increment: float = 0.0
    moves: int = 0
    ponders: bool = False

    def __post_init__(self) -> None:
        for name, value in (("time", self.left), ("increment", self.increment), ("moves", self.moves)):
            if not (math.isfinite(value) and value >= 0):
                raise EngineError(f"expected {name} of at least 0, got {value!r}")

    @property
    def allowance(self) -> Allowance:
        """What a search for the next move may use; never more than is left."""
        ahead = min(self.moves, _MOVES_AHEAD) if self.moves else _MOVES_AHEAD
        share = self.left / ahead + 0.8 * self.increment - _DELAY
        if self.ponders:
            share *= _WHERE_PONDERED
        most = (self.left if self.moves == 1 else max(self.left * _MOST, self.left / ahead)) - _DELAY
        least = min(_LEAST, self.left / (4 * ahead))
        return Allowance(max(min(_SOFT * share, most), least), max(min(_HARD * share, most), least))
