"""What users want to be notified of, on which channels and when."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from crownhead.server.accounts.access import hold_user
from crownhead.server.accounts.selectors import User
from crownhead.server.core.limits import spend
from crownhead.server.notices import tasks
from crownhead.server.notices.kinds import Channel, Kind, Timing
from crownhead.server.notices.models import Choice, Reader
from crownhead.server.notices.selectors.preferences import timings_of
from crownhead.server.notices.services import rescheduling
from crownhead.server.notices.validators import Timings, check_choices


def choose(*, user: User, timings: Timings, now: datetime, digest_hour: int | None = None) -> None:
    """Save choices and reschedule what is waiting, a worker what is too much; what is not named stays.

    Raises `TooMany`.
    """
    check_choices(timings, digest_hour)
    spend(scope="preferences", who=f"user:{user.pk}")
    _save(user, timings, digest_hour, now)


def _save(user: User, timings: Timings, digest_hour: int | None, now: datetime) -> None:
    with transaction.atomic():
        hold_user(user.pk)
        before = timings_of(user.pk)
        for (kind, channel), timing in timings.items():
            if timing is not before[kind, channel]:
                _keep(user, kind, channel, timing)
        if digest_hour is not None:
            Reader.objects.update_or_create(user=user, defaults={"digest_hour": digest_hour})
        if rescheduling.reschedule_some(user, now) and not tasks.is_about_to_reschedule(user.pk):
            tasks.reschedule.enqueue(user.pk)


def stop(*, user: User, kinds: Iterable[Kind], channel: Channel, now: datetime) -> None:
    """Turn kinds off on one channel; where they are off, nothing is written."""
    before = timings_of(user.pk, kinds := tuple(kinds))
    off = {(kind, channel): Timing.NEVER for kind in kinds if before[kind, channel] is not Timing.NEVER}
    if off:
        _save(user, off, None, now)


def try_address_again(*, user: User) -> None:
    """Send to an address again that was refused."""
    Reader.objects.filter(user=user).update(refused_address="", refused_at=None, refused_why="")


def _keep(user: User, kind: Kind, channel: Channel, timing: Timing) -> None:
    mine = Choice.objects.filter(user=user, kind=kind, channel=channel)
    if timing is kind.default(channel):
        mine.delete()
    elif not mine.update(timing=timing):
        Choice.objects.create(user=user, kind=kind, channel=channel, timing=timing)
