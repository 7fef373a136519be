"""Who leads in a variant, where somebody stands, and the distribution of ratings.

On the leaderboard are those who have played in the last 90 days and whose rating is not provisional; equal
points share a place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.core.cache import cache
from django.db.models import Count, F, Max, Q, QuerySet

from crownhead.server.core.pagination import Page, page
from crownhead.server.ratings.models import PlayerRating

ORDER = ("-points", "id")
STEP = 50  # points of a column of the distribution
_KEPT = 600  # seconds for which what is counted over all players is kept


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a leaderboard."""

    place: int
    row: PlayerRating


@dataclass(frozen=True, slots=True)
class Standing:
    """Where somebody stands: ``place`` of ``players`` on the leaderboard."""

    place: int
    players: int


@dataclass(frozen=True, slots=True)
class Column:
    """So many players have a rating from ``least`` to ``most``."""

    least: int
    most: int
    players: int


@dataclass(frozen=True, slots=True)
class Lead:
    """A variant at a glance: how many are on its leaderboard, and who is at its head."""

    variant: str
    players: int
    points: int
    leader: str


def listed(variant: str, *, now: datetime) -> QuerySet[PlayerRating]:
    """Those on the leaderboard, their names loaded along."""
    rows = PlayerRating.objects.filter(variant=variant, listed_until__isnull=False, listed_until__gt=now)
    return rows.select_related("user")


def leaderboard(
    variant: str, *, now: datetime, cursor: str | None = None, limit: int = 50, most: int | None = None
) -> tuple[list[Place], str | None]:
    """Some lines, the best first, and the cursor of those that follow; ``most``: from these points down."""
    rows = listed(variant, now=now)
    rows_page: Page[PlayerRating] = page(
        rows if most is None else rows.filter(points__lte=most), order=ORDER, cursor=cursor, limit=limit
    )
    return _places(rows_page.items, rows), rows_page.next


def standing_of(user_id: int, variant: str, *, now: datetime) -> Standing | None:
    """The place of a player; None if they are not on the leaderboard."""
    rows = listed(variant, now=now)
    points = rows.filter(user_id=user_id).values_list("points", flat=True).first()
    if points is None:
        return None
    place = rows.filter(points__gt=points).count() + 1
    lately = sum(column.players for column in distribution(variant, now=now))  # some minutes ago
    return Standing(place, max(lately, place))


def distribution(variant: str, *, now: datetime) -> list[Column]:
    """How many have which rating, without gaps from the lowest to the highest; some minutes old."""
    key = f"ratings:distribution:{variant}"
    counts: dict[int, int] | None = cache.get(key)
    if counts is None:
        steps = listed(variant, now=now).select_related(None).order_by().values_list(F("points") / STEP)
        counts = dict(steps.annotate(Count("id")))
        cache.set(key, counts, timeout=_KEPT)
    if not counts:
        return []
    every = range(min(counts), max(counts) + 1)
    return [Column(step * STEP, step * STEP + STEP - 1, counts.get(step, 0)) for step in every]


def leads(*, now: datetime) -> dict[str, Lead]:
    """All variants at a glance, by key; those that have a leaderboard; some minutes old."""
    key = "ratings:leads"
    leaders: dict[str, Lead] | None = cache.get(key)
    if leaders is None:
        rows = PlayerRating.objects.filter(listed_until__isnull=False, listed_until__gt=now).order_by()
        counted = rows.values_list("variant").annotate(Count("id"), Max("points"))
        leaders = {variant: _lead(variant, players, points, now) for variant, players, points in counted}
        cache.set(key, leaders, timeout=_KEPT)
    return leaders


def release_places(*, now: datetime) -> int:
    """Remove inactive players and closed accounts from the leaderboards; returns how many."""
    gone = Q(listed_until__lte=now) | Q(user__is_active=False)
    return PlayerRating.objects.filter(gone, listed_until__isnull=False).update(listed_until=None)


def remove_player(*, user_id: int) -> None:
    """Remove a player from all leaderboards."""
    PlayerRating.objects.filter(user=user_id).update(listed_until=None)


def _lead(variant: str, players: int, points: int, now: datetime) -> Lead:
    first = listed(variant, now=now).order_by(*ORDER).first()
    return Lead(variant, players, points, "" if first is None else first.user.username)


def _places(page_rows: Sequence[PlayerRating], rows: QuerySet[PlayerRating]) -> list[Place]:
    """The lines of some rows that follow one another in the order of the leaderboard."""
    made: list[Place] = []
    for row in page_rows:
        if not made:
            before = rows.filter(points__gt=row.points).count()
            tied_before = rows.filter(points=row.points, id__lt=row.pk).count()
            place, passed = before + 1, before + tied_before
        else:
            passed += 1
            place = made[-1].place if made[-1].row.points == row.points else passed + 1
        made.append(Place(place, row))
    return made
