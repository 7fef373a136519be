"""Questions about times in which nobody could play."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings

from crownhead.server.core import clock
from crownhead.server.core.background.outages import Outage
from crownhead.server.play.models import Heartbeat, OutageRow

ONLY = 1  # the key of the one row of the heartbeat


def outage_threshold() -> timedelta:
    """For how long there may be no sign of life before it counts as an outage."""
    return timedelta(seconds=settings.OUTAGE_SECONDS)


def open_outages() -> tuple[Outage, ...]:
    """The outages that are not made up for yet, in order."""
    rows = OutageRow.objects.filter(done_at__isnull=True).order_by("pk")
    return tuple(Outage(*moments) for moments in rows.values_list("begins_at", "ends_at"))


def last_beat() -> datetime | None:
    """The last sign of life; None in a club that has never served a page."""
    return Heartbeat.objects.values_list("at", flat=True).first()


def is_over(now: datetime) -> bool:
    """Whether people can play, as far as is known, and every outage is made up for.

    Until then nothing may be ended because its time is out. A club without a sign of life has never served
    a page.
    """
    beat = last_beat()
    if beat is None:
        return True
    return (
        abs(now - beat) <= outage_threshold() and not OutageRow.objects.filter(done_at__isnull=True).exists()
    )


def expected_time() -> datetime | None:
    """What time it is by the last sign of life, if that came since this machine was started."""
    row = Heartbeat.objects.filter(pk=ONLY).first()
    if row is None or not row.boot or row.boot != clock.boot():
        return None
    return row.at + timedelta(seconds=clock.steady_seconds() - row.boot_seconds)
