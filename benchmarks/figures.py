"""What a measurement hands over: how much was done in how much CPU time, as lines of JSON."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """`count` units of work done in `seconds` of CPU time of one thread."""

    measure: str
    variant: str
    count: int
    seconds: float

    @property
    def rate(self) -> float:
        """Units a second."""
        return self.count / self.seconds


def timed(work: Callable[[], int]) -> tuple[int, float]:
    """What the work returns, and the CPU seconds it took."""
    started = time.process_time()
    count = work()
    return count, time.process_time() - started


def emit(figure: Figure) -> None:
    """Write a figure where the runner reads it."""
    sys.stdout.write(json.dumps(asdict(figure)) + "\n")


def taken(line: str) -> Figure:
    """The figure that a line hands over."""
    return Figure(**json.loads(line))
