"""When a notification is sent: pure functions of settings and times."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo

from crownhead.server.notices.kinds import Channel, Timing

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)

# What happens meanwhile goes into the same mail, and what is done meanwhile needs none.
GATHERED_FOR = {Channel.MAIL: MINUTE, Channel.PUSH: timedelta(0)}
AWAY_AFTER = {Channel.MAIL: 5 * MINUTE, Channel.PUSH: MINUTE}
LOOK_AGAIN = 5 * MINUTE  # whether somebody who was here has gone

_BACK_OFF = (MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 4 * HOUR, 12 * HOUR)


def first_try(timing: Timing, channel: Channel, *, now: datetime, zone: tzinfo, hour: int) -> datetime:
    """Return when a notification of ``now`` is sent; ``hour`` is that of the digest in ``zone``."""
    if timing is Timing.DAILY:
        return next_digest(now, zone=zone, hour=hour)
    return now + delay(timing, channel)


def delay(timing: Timing, channel: Channel) -> timedelta:
    """Return how long a notification that is in no digest waits."""
    return (AWAY_AFTER if timing is Timing.AWAY else GATHERED_FOR)[channel]


def next_digest(now: datetime, *, zone: tzinfo, hour: int) -> datetime:
    """Return the first time after ``now`` at which it is ``hour`` o'clock in the zone, in UTC.

    If the clocks skip that hour, it is the time it would have been without the change.
    """
    here = now.astimezone(zone)
    at = here.replace(hour=hour, minute=0, second=0, microsecond=0, fold=0)
    while at.astimezone(UTC) <= now:
        at = (at.replace(tzinfo=None) + timedelta(days=1)).replace(tzinfo=zone, fold=0)
    return at.astimezone(UTC)


def next_try(tries: int, *, now: datetime) -> datetime | None:
    """Return when to try again after some failures; None if it is given up."""
    return now + _BACK_OFF[tries - 1] if tries <= len(_BACK_OFF) else None
