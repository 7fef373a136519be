"""Budgets that hold across processes and restarts: mails to an address, wrong passwords for a name.

Their rates are among the club's limits. What is counted is stored as a hash, and forgotten when its time is
over.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

from django.conf import settings
from django.db import transaction
from django.db.models import F

from crownhead.server.accounts.models import Budget
from crownhead.server.core.jobs import sweep
from crownhead.server.core.rates import Rate, parse_rate


def spend(*, scope: str, who: str, now: datetime) -> bool:
    """Count one action of ``who``; returns False, and counts nothing, once the rate is used up."""
    rate = parse_rate(settings.LIMITS[scope])
    if rate is None:
        return True
    begun, ends = _window(rate, now)
    with transaction.atomic():
        row, _is_new = Budget.objects.get_or_create(
            scope=scope, who=_digest(who), begun=begun, defaults={"ends_at": ends}
        )
        return bool(Budget.objects.filter(pk=row.pk, spent__lt=rate.times).update(spent=F("spent") + 1))


def mailbox(address: str) -> str:
    """Whose mail an address is: many services deliver what follows a plus sign to the same box."""
    name, at, host = address.strip().lower().rpartition("@")
    return f"{name.partition('+')[0] or name}{at}{host}"


def is_spent(*, scope: str, who: str, now: datetime) -> bool:
    """Return whether the rate of a scope is used up."""
    rate = parse_rate(settings.LIMITS[scope])
    if rate is None:
        return False
    rows = Budget.objects.filter(scope=scope, who=_digest(who), begun=_window(rate, now)[0])
    return rows.filter(spent__gte=rate.times).exists() or rate.times == 0


def forget_over(*, now: datetime) -> int:
    """Delete counts whose time is over; returns how many."""
    return sweep(Budget.objects.filter(ends_at__lte=now))


def _window(rate: Rate, now: datetime) -> tuple[int, datetime]:
    """The number of the span of time that is counted together, and when it ends."""
    number = int(now.timestamp()) // rate.seconds
    return number, datetime.fromtimestamp((number + 1) * rate.seconds, UTC)


def _digest(who: str) -> str:
    return hashlib.sha256(who.strip().lower().encode("utf-8", "replace")).hexdigest()
