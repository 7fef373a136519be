"""What people want to be notified of, on which channels and when."""

from __future__ import annotations

from collections.abc import Collection, Iterable

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


def timings_of_all(
    user_ids: Collection[int], kinds: Iterable[Kind]
) -> dict[int, dict[tuple[Kind, Channel], Timing]]:
    """Return the same for several users, in one query."""
    usual = usual_timings(kinds)
    timings = {user_id: dict(usual) for user_id in user_ids}
    wanted = {kind for kind, _channel in usual}
    rows = Choice.objects.filter(user__in=user_ids, kind__in=wanted)
    for user_id, kind, channel, timing in rows.values_list("user_id", "kind", "channel", "timing"):
        timings[user_id][Kind(kind), Channel(channel)] = Timing(timing)
    return timings


def usual_timings(kinds: Iterable[Kind]) -> dict[tuple[Kind, Channel], Timing]:
    """Return the timing of each kind on each channel for people who have chosen nothing."""
    return {(kind, channel): kind.default(channel) for kind in kinds for channel in Channel}


def subscribers_of(kind: Kind) -> list[int]:
    """Return the keys of users who chose to get a kind that is off by default."""
    rows = Choice.objects.filter(kind=kind).exclude(timing=Timing.NEVER)
    return list(rows.order_by("user").values_list("user", flat=True).distinct())


def digest_hours_of(user_ids: Collection[int]) -> dict[int, int]:
    """Return the hours of the users' days at which their digests are sent."""
    usual = Reader._meta.get_field("digest_hour").default
    chosen = Reader.objects.filter(user__in=user_ids).values_list("user_id", "digest_hour")
    return dict.fromkeys(user_ids, usual) | dict(chosen)


def digest_hour_of(user_id: int) -> int:
    """Return the hour of the user's day at which their digest is sent."""
    return digest_hours_of([user_id])[user_id]
