"""The leaderboards: distributions are counted, and players leave them, or come back after a suspension."""

from __future__ import annotations

from datetime import datetime

from crownhead import VARIANTS
from crownhead.server.core.batches import batched
from crownhead.server.ratings.models import Distribution, PlayerRating
from crownhead.server.ratings.selectors.leaderboards import counted
from crownhead.server.ratings.selectors.strength import ACTIVE, PROVISIONAL_ABOVE, strength_of

_LEAVING_AT_ONCE = 1000


def count_distributions(*, now: datetime) -> None:
    """Count how many have how many points in each variant; work for the worker."""
    for variant in VARIANTS:
        counts = counted(variant, now)
        if counts or Distribution.objects.filter(variant=variant).exists():
            Distribution.objects.update_or_create(
                variant=variant, defaults={"counts": counts, "counted_at": now}
            )


def release_places(*, now: datetime) -> int:
    """Remove inactive players and closed accounts from the leaderboards, some at a time; returns how many."""
    on_it, released = PlayerRating.objects.filter(listed_until__isnull=False), 0
    for rows in (on_it.filter(listed_until__lte=now), on_it.filter(user__is_active=False)):
        keys = list(rows.values_list("pk", flat=True))
        for part in batched(keys, _LEAVING_AT_ONCE):
            some = PlayerRating.objects.filter(pk__in=part)
            released += some.exclude(listed_until__gt=now, user__is_active=True).update(listed_until=None)
    return released


def give_places_back(*, now: datetime) -> int:
    """Put players on the leaderboards again whose accounts are open again; returns how many places."""
    away = PlayerRating.objects.filter(listed_until__isnull=True, games__gt=0, user__is_active=True)
    lately = away.filter(updated_at__gt=now - ACTIVE, deviation__lte=PROVISIONAL_ABOVE)
    given = 0
    for variant in VARIANTS:  # by the index of each
        for row in lately.filter(variant=variant).iterator():
            until = strength_of(row).listed_until()
            if until is not None and until > now:
                same = away.filter(pk=row.pk, updated_at=row.updated_at)
                given += same.update(listed_until=until)
    return given


def remove_player(*, user_id: int) -> None:
    """Remove a player from all leaderboards."""
    PlayerRating.objects.filter(user=user_id).update(listed_until=None)
