"""Repeated work of the ratings."""

from __future__ import annotations

from datetime import datetime, timedelta

from crownhead.server.core.background.checks import check
from crownhead.server.core.jobs import repeat
from crownhead.server.ratings.services import checking, leaderboards, recounting


@repeat("annulled games", timedelta(minutes=1), lasts=True)
def recount(now: datetime) -> None:
    """Finish large recalculations after annulled games."""
    recounting.recount_waiting(now=now)


@repeat("distributions of ratings", timedelta(minutes=10), lasts=True)
def count_distributions(now: datetime) -> None:
    """Count how many have how many points, for the places far down."""
    leaderboards.count_distributions(now=now)


@repeat("leaderboards", timedelta(hours=6), lasts=True)
def bring_up_to_date(now: datetime) -> None:
    """Take inactive players off the leaderboards, and let those come back who have been suspended."""
    leaderboards.release_places(now=now)
    leaderboards.give_places_back(now=now)


check("ratings")(checking.findings)
