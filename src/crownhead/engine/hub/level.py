"""Time management: the ``level`` of the Hub protocol, and the share of a clock to spend on one move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

_MOVES_AHEAD = 25  # of ours still to come, where the number is not given
_SHARE = 0.25  # of the clock that one move may take at most
_DELAY = 0.05  # seconds that a move may take on its way to the opponent
_LEAST = 0.01  # seconds for a move, while the clock has enough of them


@dataclass(frozen=True, slots=True)
class Level:
    """Limits of one search; None: no limit of that kind."""

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None

    @property
    def is_infinite(self) -> bool:
        """Only a command ends the search."""
        return self.depth is None and self.nodes is None and self.seconds is None


def level_of(arguments: Mapping[str, str]) -> Level:
    """The level of the arguments; raises ``ValueError`` where one is not a number."""
    depth = arguments.get("depth")
    nodes = arguments.get("nodes")
    seconds: float | None = None
    if "move-time" in arguments:
        seconds = float(arguments["move-time"])
    elif "time" in arguments:
        seconds = share_of_clock(
            float(arguments["time"]), float(arguments.get("inc", 0)), int(arguments.get("moves", 0))
        )
    return Level(int(depth) if depth else None, int(nodes) if nodes else None, seconds)


def share_of_clock(time: float, increment: float = 0, moves: int = 0) -> float:
    """The seconds to spend on a move with ``time`` seconds left for ``moves`` moves, or for the rest."""
    ahead = min(moves, _MOVES_AHEAD) if moves else _MOVES_AHEAD
    wanted = time / ahead + 0.8 * increment
    most = time if moves == 1 else max(time * _SHARE, time / ahead)
    return max(min(wanted, most) - _DELAY, min(_LEAST, time / (4 * ahead)))
