"""The ``level`` of the Hub protocol: what limits the searches from now on."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from crownhead.engine.clock import Allowance, Clock
from crownhead.engine.errors import EngineError


@dataclass(frozen=True, slots=True)
class Level:
    """Limits of one search; None: no limit of that kind."""

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    clock: Clock | None = None

    @property
    def is_infinite(self) -> bool:
        """Only a command ends the search."""
        return self.depth is None and self.nodes is None and self.allowance is None

    @property
    def allowance(self) -> Allowance | None:
        """The time that a search may use."""
        if self.seconds is not None:
            return Allowance(math.inf, self.seconds)
        return None if self.clock is None else self.clock.allowance


def level_of(arguments: Mapping[str, str], *, ponders: bool = False) -> Level:
    """The level of the arguments; raises ``EngineError`` where one is not a number that makes sense."""
    seconds, clock = None, None
    if "move-time" in arguments:
        seconds = _seconds(arguments, "move-time")
    elif "time" in arguments:
        moves = _whole(arguments, "moves", least=0) if "moves" in arguments else 0
        increment = _seconds(arguments, "inc") if "inc" in arguments else 0.0
        clock = Clock(_seconds(arguments, "time"), increment, moves, ponders)
    depth = _whole(arguments, "depth") if "depth" in arguments else None
    nodes = _whole(arguments, "nodes") if "nodes" in arguments else None
    return Level(depth, nodes, seconds, clock)


def _whole(arguments: Mapping[str, str], name: str, *, least: int = 1) -> int:
    text = arguments[name]
    if not (text.isascii() and text.isdigit() and len(text) <= 18 and int(text) >= least):
        raise EngineError(f"expected {name} to be a whole number from {least}, got {text:.40}")
    return int(text)


def _seconds(arguments: Mapping[str, str], name: str) -> float:
    text = arguments[name]
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds < math.inf:
        raise EngineError(f"expected {name} in seconds, got {text:.40}")
    return seconds
