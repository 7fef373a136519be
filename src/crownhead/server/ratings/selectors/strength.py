"""How strong somebody is taken to be, and since when: Glicko-2 with the days that have passed.

A rating stands still without games, but it becomes uncertain: the deviation grows with the time.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from crownhead.contest import glicko2
from crownhead.contest.glicko2 import Rating
from crownhead.server.ratings.models import Change, PlayerRating, Score

SCORES = {2: Score.WON, 1: Score.DRAWN, 0: Score.LOST}
HALF_POINTS = {score.value: points for points, score in SCORES.items()}

PROVISIONAL_ABOVE = glicko2.PROVISIONAL  # deviation
ACTIVE = timedelta(days=90)  # since the last game, on leaderboards
_PERIOD = timedelta(days=glicko2.PERIOD_DAYS)
_NEW = glicko2.Rating()


@dataclass(frozen=True, slots=True)
class Strength:
    """A rating as Glicko-2 keeps it, and when its last game was counted; None before the first."""

    rating: glicko2.Rating = _NEW
    at: datetime | None = None

    @property
    def points(self) -> int:
        """The rating as it is shown."""
        return round(self.rating.value)

    def by(self, now: datetime) -> glicko2.Rating:
        """The rating at a later moment: less certain."""
        return glicko2.after_inactivity(self.rating, self._periods(now))

    def after(self, opponent: Strength, half_points: int, now: datetime) -> Strength:
        """What a game makes of it; both are taken as they are at the moment."""
        new = glicko2.after_game(
            self.rating,
            opponent.rating,
            half_points,
            periods=self._periods(now),
            opponent_periods=opponent._periods(now),
        )
        return Strength(new, now)

    def listed_until(self) -> datetime | None:
        """When a player who stops playing leaves the leaderboard; None if they are not on it."""
        if self.at is None or self.rating.provisional:
            return None
        doubt = PROVISIONAL_ABOVE**2 - self.rating.deviation**2
        periods = doubt / (self.rating.volatility * glicko2.SCALE) ** 2
        return self.at + min(ACTIVE, periods * _PERIOD if periods < ACTIVE / _PERIOD else ACTIVE)

    def _periods(self, now: datetime) -> float:
        """Rating periods since the last game; none where two games were counted out of order."""
        return 0.0 if self.at is None else max((now - self.at) / _PERIOD, 0.0)


def before(change: Change) -> Strength:
    """What the player had when the game was counted."""
    rating = Rating(change.value_before, change.deviation_before, change.volatility_before)
    return Strength(rating, change.previous_at)


def after(change: Change) -> Strength:
    """What the game made of it."""
    return Strength(Rating(change.value, change.deviation, change.volatility), change.at)


def half_points(change: Change) -> int:
    """What the player scored, in half points."""
    return HALF_POINTS[change.score]


def strength_of(row: PlayerRating) -> Strength:
    """What a row says."""
    return Strength(Rating(row.value, row.deviation, row.volatility), row.updated_at)
