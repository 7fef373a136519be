"""Lines of matches.md, one for each match that was played."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from crownhead.engine.matches import SPRT, Tally

MATCHES = Path(__file__).with_name("matches.md")


@dataclass(frozen=True, slots=True)
class Match:
    """A match and its result for the first player."""

    variant: str
    players: str
    limit: str
    openings: str
    tally: Tally
    test: SPRT | None

    def cells(self) -> list[str]:
        """A line of the table."""
        difference, width = self.tally.elo()
        return [
            f"{datetime.now(UTC):%Y-%m-%d}",
            _commit(),
            self.variant,
            self.players,
            self.limit,
            self.openings,
            f"{self.tally.games}",
            f"+{self.tally.wins} ={self.tally.draws} −{self.tally.losses}",
            f"{difference:+.0f} ± {width:.0f}",
            self._verdict(),
        ]

    def _verdict(self) -> str:
        if self.test is None:
            return ""
        ratio = self.tally.log_likelihood_ratio(self.test.elo0, self.test.elo1)
        low, high = self.test.bounds
        verdict = {True: "yes", False: "no", None: "open"}[self.test.verdict(self.tally)]
        return f"{verdict}: {ratio:.2f} ({low:.2f}, {high:.2f}) for [{self.test.elo0:g}, {self.test.elo1:g}]"


def append(match: Match) -> None:
    """Add a line at the end."""
    with MATCHES.open("a", encoding="utf-8") as file:
        file.write(f"| {' | '.join(match.cells())} |\n")


def _commit() -> str:
    return subprocess.run(
        ["git", "describe", "--always"], capture_output=True, text=True, check=False
    ).stdout.strip()
