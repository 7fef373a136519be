"""Questions about vacations."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Sum

from crownhead.server.accounts.selectors import User
from crownhead.server.play.models import Vacation

__all__ = ["Vacation", "away_until", "hours_used_automatically", "planned"]


def planned(*, user: User, now: datetime) -> list[Vacation]:
    """The vacations set in advance that are not over, in order."""
    rows = Vacation.objects.filter(user=user, automatic=False, ends_at__gt=now)
    return list(rows.order_by("begins_at"))


def away_until(*, user_ids: Iterable[int], now: datetime) -> dict[int, datetime]:
    """Which of some players are on a planned vacation, by key: when it ends."""
    rows = Vacation.objects.filter(
        user__in=set(user_ids), automatic=False, begins_at__lte=now, ends_at__gt=now
    )
    return dict(rows.values_list("user_id", "ends_at"))


def hours_used_automatically(*, user: User, year: int) -> int:
    """How many hours of a year were used because time had run out."""
    rows = Vacation.objects.filter(user=user, year=year, automatic=True)
    return rows.aggregate(sum=Sum("hours"))["sum"] or 0
