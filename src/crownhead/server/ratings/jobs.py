"""Repeated work of the ratings."""

from __future__ import annotations

from datetime import datetime, timedelta

from crownhead.server.core.jobs import repeat
from crownhead.server.ratings.selectors import leaderboards
from crownhead.server.ratings.services import recounting


@repeat("annulled games", timedelta(minutes=1))
def recount(now: datetime) -> None:
    """Finish large recalculations after annulled games."""
    recounting.recount_waiting(now=now)


@repeat("leaderboards", timedelta(hours=6))
def release_inactive_places(now: datetime) -> None:
    """Take inactive players off the leaderboards."""
    leaderboards.release_places(now=now)
