"""What people want to be told, by which ways and when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.core.problems import Unprocessable
from crownhead.server.notices.channels import schedule
from crownhead.server.notices.kinds import TIMINGS, Channel, Kind, Timing, usual
from crownhead.server.notices.models import Choice, Delivery, Reader, State
from crownhead.server.notices.selectors import recipients

Wishes = Mapping[tuple[Kind, Channel], Timing]


def wishes_of(user_id: int, kinds: Iterable[Kind] = tuple(Kind)) -> dict[tuple[Kind, Channel], Timing]:
    """What somebody wants of some kinds by each way: chosen, or the usual."""
    wanted = tuple(kinds)
    found = {(kind, channel): usual(kind, channel) for kind in wanted for channel in Channel}
    rows = Choice.objects.filter(user=user_id, kind__in=wanted)
    for kind, channel, timing in rows.values_list("kind", "channel", "timing"):
        found[Kind(kind), Channel(channel)] = Timing(timing)
    return found


def who_chose(kind: Kind) -> list[int]:
    """The keys of those who want to be told of something of which nobody is told who has not asked."""
    rows = Choice.objects.filter(kind=kind).exclude(timing=Timing.NEVER)
    return list(rows.order_by("user").values_list("user", flat=True).distinct())


def digest_hour_of(user_id: int) -> int:
    """The hour of his day at which somebody gets his digest."""
    hour = Reader.objects.filter(user=user_id).values_list("digest_hour", flat=True).first()
    return Reader._meta.get_field("digest_hour").default if hour is None else hour


def choose(*, user: User, wishes: Wishes, now: datetime, digest_hour: int | None = None) -> None:
    """Keep what somebody wants; what is on its way follows. What is not named stays as it is."""
    _check(wishes, digest_hour)
    with transaction.atomic():
        for (kind, channel), timing in wishes.items():
            _keep(user, kind, channel, timing)
        if digest_hour is not None:
            Reader.objects.update_or_create(user=user, defaults={"digest_hour": digest_hour})
        _reschedule(user, now)


def stop(*, user: User, kinds: Iterable[Kind], channel: Channel, now: datetime) -> None:
    """No more of these by this way."""
    choose(user=user, wishes={(kind, channel): Timing.NEVER for kind in kinds}, now=now)


def try_address_again(*, user: User) -> None:
    """The address was refused, and its owner says that it is right."""
    Reader.objects.filter(user=user).update(refused_address="", refused_at=None, refused_why="")


def _check(wishes: Wishes, digest_hour: int | None) -> None:
    for (kind, channel), timing in wishes.items():
        if timing not in TIMINGS[channel]:
            possible = ", ".join(TIMINGS[channel])
            raise Unprocessable(
                f"{kind.value}.{channel.value}: "
                + _("Choose one of %(possible)s, not %(value)s.")
                % {"possible": possible, "value": repr(timing.value)}
            )
    if digest_hour is not None and not 0 <= digest_hour <= 23:
        raise Unprocessable(
            "digest_hour: "
            + _("Choose an hour from 0 to 23, not %(digest_hour)s.") % {"digest_hour": digest_hour}
        )


def _keep(user: User, kind: Kind, channel: Channel, timing: Timing) -> None:
    mine = Choice.objects.filter(user=user, kind=kind, channel=channel)
    if timing is usual(kind, channel):
        mine.delete()
    elif not mine.update(timing=timing):
        Choice.objects.create(user=user, kind=kind, channel=channel, timing=timing)


def _reschedule(user: User, now: datetime) -> None:
    """What waits goes out when it is wanted now; what is not wanted any more is dropped as it falls due."""
    wishes = wishes_of(user.pk)
    person = recipients.person(user)
    hour = digest_hour_of(user.pk)
    for row in Delivery.objects.filter(user=user, state=State.WAITING, tries=0).select_related("notice"):
        timing = wishes[Kind(row.kind), Channel(row.channel)]
        begun = row.notice.created_at if timing is not Timing.DAILY else now
        at = schedule.first_try(timing, Channel(row.channel), now=begun, zone=person.zone, hour=hour)
        waiting = Delivery.objects.filter(pk=row.pk, state=State.WAITING)
        waiting.update(timing=timing, due_at=now if timing is Timing.NEVER else at)
