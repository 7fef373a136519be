"""The chart of a player's games in each of the last weeks, as numbers that a template draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

WIDTH, HEIGHT = 320, 80
_GAP = 4


@dataclass(frozen=True, slots=True)
class Week:
    """A bar: the seven days to ``last``, how many games ended in them, and where it is drawn."""

    last: date
    games: int
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Activity:
    """The last weeks, the oldest first; ``games`` in all of them."""

    weeks: Sequence[Week]
    games: int
    most: int

    @property
    def numbers(self) -> str:
        """The games of each week, for those who do not see the bars."""
        return ", ".join(str(week.games) for week in self.weeks)


def activity(games: Sequence[int], *, now: datetime) -> Activity | None:
    """The picture of games by week, the last of them ending now; None where there were none."""
    most = max(games, default=0)
    if not most:
        return None
    wide = WIDTH / len(games)
    weeks = [
        Week(
            last=(now - timedelta(weeks=len(games) - 1 - at)).date(),
            games=count,
            x=round(at * wide + _GAP / 2, 1),
            y=round(HEIGHT - count / most * HEIGHT, 1),
            width=round(wide - _GAP, 1),
            height=round(count / most * HEIGHT, 1),
        )
        for at, count in enumerate(games)
    ]
    return Activity(weeks, sum(games), most)
