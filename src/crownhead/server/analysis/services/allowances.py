"""A member's limits for the engine: the usual ones, or those set by the staff."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from crownhead.server.accounts.selectors import User
from crownhead.server.analysis.choices import RUNNING
from crownhead.server.analysis.models import Allowance, Study
from crownhead.server.core.queries.literals import literals


def allow(
    *, staff: User, user: User, games: int | None, seconds: int | None, shut: bool, reason: str, now: datetime
) -> Allowance:
    """Set a member's own limits; None: the usual one. ``shut`` also stops their running analyses."""
    facts = {"games": games, "seconds": seconds, "shut": shut, "reason": reason}
    with transaction.atomic():
        made, _is_new = Allowance.objects.update_or_create(
            user=user, defaults={**facts, "set_by": staff, "set_at": now}
        )
        if shut:
            studies = Study.objects.filter(caller=f"user:{user.pk}", progress__in=literals(RUNNING))
            studies.update(stop_asked=True)
    return made
