"""What users want to be notified of, on which channels and when."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import OuterRef, Q, Subquery

from crownhead.server.accounts.selectors import User
from crownhead.server.notices.channels import schedule
from crownhead.server.notices.kinds import Channel, Kind, Timing
from crownhead.server.notices.models import Choice, Delivery, Notice, Reader, State
from crownhead.server.notices.selectors import recipients
from crownhead.server.notices.selectors.preferences import digest_hour_of, timings_of
from crownhead.server.notices.validators import Timings, check_choices


def choose(*, user: User, timings: Timings, now: datetime, digest_hour: int | None = None) -> None:
    """Save choices and reschedule what is waiting; what is not named stays as it is."""
    check_choices(timings, digest_hour)
    with transaction.atomic():
        before = timings_of(user.pk)
        for (kind, channel), timing in timings.items():
            if timing is not before[kind, channel]:
                _keep(user, kind, channel, timing)
        if digest_hour is not None:
            Reader.objects.update_or_create(user=user, defaults={"digest_hour": digest_hour})
        _reschedule(user, now)


def stop(*, user: User, kinds: Iterable[Kind], channel: Channel, now: datetime) -> None:
    """Turn kinds off on one channel."""
    choose(user=user, timings={(kind, channel): Timing.NEVER for kind in kinds}, now=now)


def try_address_again(*, user: User) -> None:
    """Send to an address again that was refused."""
    Reader.objects.filter(user=user).update(refused_address="", refused_at=None, refused_why="")


def _keep(user: User, kind: Kind, channel: Channel, timing: Timing) -> None:
    mine = Choice.objects.filter(user=user, kind=kind, channel=channel)
    if timing is kind.default(channel):
        mine.delete()
    elif not mine.update(timing=timing):
        Choice.objects.create(user=user, kind=kind, channel=channel, timing=timing)


def _reschedule(user: User, now: datetime) -> None:
    """Reschedule what is waiting; what is turned off is dropped when it is due."""
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
            rows.exclude(is_due | Q(due_at=at), timing=timing).update(timing=timing, due_at=at)
        elif timing is Timing.NEVER:
            rows.exclude(timing=timing).update(timing=timing, due_at=now)
        else:
            begun = Subquery(Notice.objects.filter(pk=OuterRef("notice")).values("created_at"))
            due_at = begun + schedule.delay(timing, channel)
            rows.exclude(timing=timing).update(timing=timing, due_at=due_at)
