"""The part of results.md that tells how quick the club's pages are; other runs leave it as it is."""

from __future__ import annotations

import math
import os
import platform
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

RESULTS = Path(__file__).with_name("results.md")
HEADING = "## The pages of a club in Chromium"


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


def kept(path: Path = RESULTS) -> str:
    """The section as it stands, empty where there is none: for those who write the rest anew."""
    text = path.read_text("utf-8") if path.exists() else ""
    return text[text.index(HEADING) :] if HEADING in text else ""


def write_section(lines: Iterable[list[str]], *, chromium: str, load: float, slowed: int) -> None:
    """Put the section at the end of results.md, in the place of the last one."""
    text = RESULTS.read_text("utf-8")
    rest = text[: text.index(HEADING)] if HEADING in text else f"{text.rstrip()}\n\n"
    rows = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    RESULTS.write_text(f"{rest}{_head(chromium, load=load, slowed=slowed)}\n{rows}\n", "utf-8")
    print(f"Written: {RESULTS}")


def _head(chromium: str, *, load: float, slowed: int) -> str:
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False
    ).stdout.strip()
    return f"""{HEADING}

By `PYTHONPATH=. python benchmarks/pages.py` on {datetime.now(UTC):%Y-%m-%d}, at commit {commit}.
{platform.system()} {platform.machine()}, {os.cpu_count()} cores, CPython {platform.python_version()},
Chromium {chromium}; the club and its visitors share the machine, whose load was {load:.1f} when it began.
For paints the processor is slowed {slowed} times, and every second visit is a phone's; a move goes from one
window to another over the event stream.

| what | goal | median | 95 % | |
| --- | --- | --- | --- | --- |"""
