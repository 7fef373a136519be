"""Questions about vacations and the hours of their years."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db.models import Exists, OuterRef, QuerySet, Sum

from crownhead.server.accounts.selectors import User
from crownhead.server.play.models import Vacation

__all__ = ["Budget", "Vacation", "away_until", "budget", "hours_used_automatically", "is_away", "planned"]


@dataclass(frozen=True, slots=True)
class Budget:
    """The hours of a player's vacation in a year."""

    year: int
    hours: int
    used: int

    @property
    def left(self) -> int:
        """What may still be used; never less than nothing, should the host have shortened the budget."""
        return max(self.hours - self.used, 0)


def budget(*, user_id: int, year: int) -> Budget:
    """What the player may use, and has used or set in advance, in a year."""
    used = Vacation.objects.filter(user=user_id, year=year).aggregate(sum=Sum("hours"))["sum"] or 0
    return Budget(year, settings.VACATION_HOURS, used)


def planned(*, user: User, now: datetime) -> list[Vacation]:
    """The vacations set in advance that are not over, in order."""
    rows = Vacation.objects.filter(user=user, automatic=False, ends_at__gt=now)
    return list(rows.order_by("begins_at"))


def away_until(*, user_ids: Iterable[int], now: datetime) -> dict[int, datetime]:
    """Which of some players are on a planned vacation, by key: when it ends."""
    return dict(_current(now).filter(user__in=set(user_ids)).values_list("user_id", "ends_at"))


def is_away(*, user: str, now: datetime) -> Exists:
    """Whether who is in a column is on a planned vacation: a condition of other questions."""
    return Exists(_current(now).filter(user=OuterRef(user)))


def hours_used_automatically(*, user: User, year: int) -> int:
    """How many hours of a year were used because time had run out."""
    rows = Vacation.objects.filter(user=user, year=year, automatic=True)
    return rows.aggregate(sum=Sum("hours"))["sum"] or 0


def _current(now: datetime) -> QuerySet[Vacation]:
    return Vacation.objects.filter(automatic=False, begins_at__lte=now, ends_at__gt=now)
