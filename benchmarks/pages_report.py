"""The part of results/ that tells how quick the club's pages are."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import median

from sections import PAGES, provenance, table, write_section


@dataclass(frozen=True, slots=True)
class Series:
    """What was measured again and again, in the order measured."""

    values: list[float]
    worst_shift: float = 0.0

    def told(self, unit: str) -> list[str]:
        """The median, the 95th percentile, how often it was measured."""
        ordered = sorted(self.values)
        high = ordered[math.ceil(0.95 * len(ordered)) - 1]
        return [f"{median(ordered):.0f} {unit}", f"{high:.0f} {unit}", f"{len(ordered)} times"]


def write(lines: list[list[str]], *, chromium: str, load: float, slowed: int) -> None:
    """Put the section where the last one was."""
    heads = ["what", "goal", "median", "95 %", ""]
    write_section(PAGES, f"{_head(chromium, load=load, slowed=slowed)}\n\n{table(heads, lines)}")


def _head(chromium: str, *, load: float, slowed: int) -> str:
    return f"""{provenance("pages.py")}
Chromium {chromium}; the club and its visitors share the machine, whose load was {load:.1f} when it began.
For paints the processor is slowed {slowed} times, and every second visit is a phone's; a move goes from one
window to another over the event stream. An input takes the processor time of the page's main thread until
it is painted, {slowed} times over."""
