"""What people want to be notified of, on which channels and when."""

from __future__ import annotations

from collections.abc import Iterable

from crownhead.server.core.queries.prepared import Prepared
from crownhead.server.notices.kinds import Channel, Kind, Timing
from crownhead.server.notices.models import Choice, Reader

_CHOICES: Prepared[tuple[str, str, str]] = Prepared(
    lambda user_id: Choice.objects.filter(user=user_id).values_list("kind", "channel", "timing"), user_id=int
)


def timings_of(user_id: int, kinds: Iterable[Kind] = tuple(Kind)) -> dict[tuple[Kind, Channel], Timing]:
    """Return the timing of each kind on each channel, chosen or default."""
    timings = usual_timings(kinds)
    for kind, channel, timing in _CHOICES.rows(user_id=user_id):
        if (key := (Kind(kind), Channel(channel))) in timings:
            timings[key] = Timing(timing)
    return timings


def usual_timings(kinds: Iterable[Kind]) -> dict[tuple[Kind, Channel], Timing]:
    """Return the timing of each kind on each channel for people who have chosen nothing."""
    return {(kind, channel): kind.default(channel) for kind in kinds for channel in Channel}


def subscribers_of(kind: Kind) -> list[int]:
    """Return the keys of users who chose to get a kind that is off by default."""
    rows = Choice.objects.filter(kind=kind).exclude(timing=Timing.NEVER)
    return list(rows.order_by("user").values_list("user", flat=True).distinct())


def digest_hour_of(user_id: int) -> int:
    """Return the hour of the user's day at which their digest is sent."""
    hour = Reader.objects.filter(user=user_id).values_list("digest_hour", flat=True).first()
    return Reader._meta.get_field("digest_hour").default if hour is None else hour
