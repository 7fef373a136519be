"""What the ratings do by themselves, again and again."""

from __future__ import annotations

from datetime import datetime, timedelta

from crownhead.server.core.jobs import repeat
from crownhead.server.ratings.selectors import leaderboards
from crownhead.server.ratings.services import recounting


@repeat("annulled games", timedelta(minutes=1))
def recount(now: datetime) -> None:
    """Take back what was too much to do at once."""
    recounting.recount_waiting(now=now)


@repeat("leaderboards", timedelta(hours=6))
def tidy(now: datetime) -> None:
    """Let those go who have not played for long."""
    leaderboards.release_places(now=now)
