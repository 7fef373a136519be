"""Counting games by name in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

_MAX_NAMES = 50_000
_LONGEST_NAME = 120  # characters


@dataclass(slots=True)
class Score:
    """The results of a side or player; the remaining games have no known result."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0

    def add(self, share: float | None) -> None:
        """Add a game with a score from 0 to 1, or None if unknown."""
        self.games += 1
        self.wins += share == 1.0
        self.draws += share == 0.5
        self.losses += share == 0.0

    def take(self, other: Score) -> None:
        """Add the games of another score."""
        self.games += other.games
        self.wins += other.wins
        self.draws += other.draws
        self.losses += other.losses

    @property
    def known(self) -> int:
        """The number of games with a known result."""
        return self.wins + self.draws + self.losses

    def as_dict(self) -> dict[str, int]:
        """Return the counts as a dictionary."""
        return {"games": self.games, "wins": self.wins, "draws": self.draws, "losses": self.losses}


class Tally:
    """Scores by name.

    Whenever there are more than 50,000 names, the rarer half is dropped, and ``is_exact`` becomes
    false. This hardly affects frequent names.
    """

    def __init__(self, most: int = _MAX_NAMES) -> None:
        """``most``: the maximum number of names."""
        self._most = most
        self._scores: dict[str, Score] = {}
        self.is_exact = True

    def add(self, name: str, share: float | None) -> None:
        """Add a game for a name."""
        key = name[:_LONGEST_NAME]
        score = self._scores.get(key)
        if score is None:
            if len(self._scores) == self._most:
                self._forget()
            score = self._scores[key] = Score()
        score.add(share)

    def __len__(self) -> int:
        return len(self._scores)

    def by_games(self) -> list[tuple[str, Score]]:
        """Return names and scores, most games first, then by name."""
        return sorted(self._scores.items(), key=lambda item: (-item[1].games, item[0]))

    def by_name(self) -> Iterator[tuple[str, Score]]:
        """Yield names and scores, sorted by name."""
        yield from sorted(self._scores.items())

    def _forget(self) -> None:
        self._scores = dict(self.by_games()[: self._most // 2])
        self.is_exact = False
