"""Budgets that hold across processes and restarts: mails to an address, wrong passwords for a name, codes.

Their rates are among the club's limits. What is counted is stored as a hash, and forgotten when its time is
over.
"""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.db.models import F

from crownhead.server.accounts.models import Budget
from crownhead.server.core.jobs import sweep
from crownhead.server.core.rates import parse_rate


def spend(*, scope: str, who: str, now: datetime) -> bool:
    """Count one action of ``who``; returns False, and counts nothing, once the rate is used up."""
    rate = parse_rate(settings.LIMITS[scope])
    if rate is None:
        return True
    begun, ends = rate.span(now)
    with transaction.atomic():
        row, _is_new = Budget.objects.get_or_create(
            scope=scope, who=Budget.hash_of(who), begun=begun, defaults={"ends_at": ends}
        )
        return bool(Budget.objects.filter(pk=row.pk, spent__lt=rate.times).update(spent=F("spent") + 1))


def give_back(*, scope: str, who: str, now: datetime) -> None:
    """Take one action of ``who`` back that was counted at this moment."""
    rate = parse_rate(settings.LIMITS[scope])
    if rate is not None:
        rows = Budget.objects.filter(scope=scope, who=Budget.hash_of(who), begun=rate.span(now)[0])
        rows.filter(spent__gt=0).update(spent=F("spent") - 1)


def forget(*, scope: str, who: str) -> None:
    """Forget what ``who`` has used up of a rate."""
    Budget.objects.filter(scope=scope, who=Budget.hash_of(who)).delete()


def use_once(*, scope: str, who: str, now: datetime, until: datetime) -> bool:
    """Note what counts only once until then; returns False if it has been used already."""
    with transaction.atomic():
        row, is_new = Budget.objects.get_or_create(
            scope=scope, who=Budget.hash_of(who), begun=0, defaults={"ends_at": until}
        )
        over = Budget.objects.filter(pk=row.pk, ends_at__lte=now)
        return is_new or bool(over.update(ends_at=until))


def forget_over(*, now: datetime) -> int:
    """Delete counts whose time is over; returns how many."""
    return sweep(Budget.objects.filter(ends_at__lte=now))
