"""A player's rated games by pace: live ones apart from correspondence, with the share lost on time."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.db.models import Avg, Count, Q, QuerySet

from crownhead.contest.performance import performance
from crownhead.server.ratings.models import Change, Score


class RatedPace(StrEnum):
    """What kinds of clocks are counted together."""

    LIVE = "live"
    CORRESPONDENCE = "correspondence"  # days per move, or a bank of hours


@dataclass(frozen=True, slots=True, kw_only=True)
class PaceResults:
    """A player's results in a variant at a pace; ``opponents`` is the mean rating of those they met."""

    pace: RatedPace
    games: int
    won: int
    drawn: int
    lost: int
    lost_on_time: int
    opponents: int
    performance: int

    @property
    def share_on_time(self) -> int:
        """How many of a hundred games were lost on time."""
        return round(100 * self.lost_on_time / self.games)


_SUMS: dict[str, Any] = {
    "games": Count("id"),
    "opponents": Avg("opponent_value"),
    **{score.value: Count("id", filter=Q(score=score)) for score in Score},
    "lost_on_time": Count("id", filter=Q(score=Score.LOST, on_time=True)),
}


def results_by_pace(user_id: int, variant: str) -> list[PaceResults]:
    """At each pace that the player has played rated games at, live first: one query of their own rows."""
    rows: Any = Change.objects.filter(user_id=user_id, variant=variant)
    return [_results(sums) for sums in rows.order_by("-live").values("live").annotate(**_SUMS)]


def at_pace(rows: QuerySet[Change], pace: RatedPace | None) -> QuerySet[Change]:
    """The changes by games of a pace; all of them for None."""
    return rows if pace is None else rows.filter(live=pace is RatedPace.LIVE)


def _results(sums: dict[str, Any]) -> PaceResults:
    return PaceResults(
        pace=RatedPace.LIVE if sums["live"] else RatedPace.CORRESPONDENCE,
        games=sums["games"],
        won=sums["won"],
        drawn=sums["drawn"],
        lost=sums["lost"],
        lost_on_time=sums["lost_on_time"],
        opponents=round(sums["opponents"]),
        performance=performance(
            opponents=sums["opponents"], half_points=2 * sums["won"] + sums["drawn"], games=sums["games"]
        ),
    )
