"""What a club costs until its first page: CPU time of `crownhead serve`, for requests_cost.py."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from statistics import median

from tests.club import Club

STARTS = 3
GOAL = 3.0  # seconds


def measure() -> tuple[float, float]:
    """Seconds of CPU time until the home page is there: of a new club, and of the same one started again."""
    first: list[float] = []
    again: list[float] = []
    for _ in range(STARTS):
        with tempfile.TemporaryDirectory() as folder:
            data = Path(folder) / "data"
            data.mkdir()
            club = Club(data)
            for found in (first, again):
                club.start()
                assert club.asked("/")[0] == 200
                found.append(_spent(club))
                club.stop()
    return median(first), median(again)


def _spent(club: Club) -> float:
    """Seconds of CPU time of the server so far, and of what it has waited for."""
    assert club.process is not None
    fields = Path(f"/proc/{club.process.pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
