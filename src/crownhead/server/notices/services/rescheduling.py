"""What waits to be sent follows what its user has chosen since: some in a request, a worker the others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import OuterRef, Q, QuerySet, Subquery

from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.access import hold_user
from crownhead.server.accounts.selectors import User
from crownhead.server.core.background.throttling import throttled
from crownhead.server.notices.channels import schedule
from crownhead.server.notices.kinds import Channel, Kind, Timing
from crownhead.server.notices.models import Delivery, Notice, State
from crownhead.server.notices.selectors import recipients
from crownhead.server.notices.selectors.preferences import digest_hour_of, timings_of

AT_ONCE = 200  # rows in one transaction
MAX_TURNS = 10  # transactions of one task: its user may change their mind as fast as it works


def reschedule_more(*, user_id: int, now: datetime) -> bool:
    """Reschedule what waits, some in a transaction; returns whether there may be more."""
    for _ in throttled(range(MAX_TURNS)):
        user = accounts.user(user_id)
        if user is None:
            return False
        with transaction.atomic():
            hold_user(user_id)  # a choice of this moment counts for what follows
            if not reschedule_some(user, now):
                return False
    return True


def reschedule_some(user: User, now: datetime) -> bool:
    """Reschedule what waits, the soonest first, up to a limit; returns whether there may be more.

    What is turned off is dropped when it is due.
    """
    left = AT_ONCE
    for rows, changes in _changes(user, now):
        keys = list(rows.order_by("due_at", "pk").values_list("pk", flat=True)[: left + 1])
        if keys:
            rows.filter(pk__in=keys[:left]).update(**changes)
        if len(keys) > left:
            return True
        left -= len(keys)
    return False


def _changes(user: User, now: datetime) -> Iterator[tuple[QuerySet[Delivery], dict[str, Any]]]:
    """Yield the rows that wait for something else than what is chosen, and what they become."""
    waiting = Delivery.objects.filter(user=user, state=State.WAITING, tries=0)
    chosen, person, hour = timings_of(user.pk), recipients.person(user), digest_hour_of(user.pk)
    kinds: dict[tuple[Channel, Timing], set[str]] = defaultdict(set)
    for kind, channel in waiting.order_by().values_list("kind", "channel").distinct():
        kinds[Channel(channel), chosen[Kind(kind), Channel(channel)]].add(kind)
    for (channel, timing), those in kinds.items():
        rows = waiting.filter(channel=channel, kind__in=those)
        if timing is Timing.DAILY:
            at = schedule.next_digest(now, zone=person.zone, hour=hour)
            is_due = Q(due_at__lte=now)  # it is about to go out; a digest would wait for another day
            yield rows.exclude(is_due | Q(due_at=at), timing=timing), {"timing": timing, "due_at": at}
        elif timing is Timing.NEVER:
            yield rows.exclude(timing=timing), {"timing": timing, "due_at": now}
        else:
            begun = Subquery(Notice.objects.filter(pk=OuterRef("notice")).values("created_at"))
            due_at = begun + schedule.delay(timing, channel)
            yield rows.exclude(timing=timing), {"timing": timing, "due_at": due_at}
