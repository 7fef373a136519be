"""How much a player has played lately: finished games in each of the last weeks."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Count, Q

from crownhead.server.accounts.selectors import User
from crownhead.server.play import selectors
from crownhead.server.play.selectors import Viewer

WEEKS = 13  # a quarter
_WEEK = timedelta(weeks=1)


def games_by_week(person: User, *, viewer: Viewer, now: datetime) -> list[int]:
    """The numbers of games that ended in each of the last weeks, the last one up to now; oldest first.

    Read by both seats, from indexes that are in the order of the ends; annulled games do not count.
    """
    begins = [now - weeks * _WEEK for weeks in range(WEEKS, 0, -1)]
    sums = {
        f"week_{number}": Count("pk", filter=Q(ended_at__gt=begin, ended_at__lte=begin + _WEEK))
        for number, begin in enumerate(begins)
    }
    rows = selectors.public_games(viewer=viewer).filter(
        status="finished", annulled=False, ended_at__gt=begins[0]
    )
    by_seat = [seat.order_by().aggregate(**sums) for seat in rows.by_seat(person)]
    return [sum(seat[name] for seat in by_seat) for name in sums]
