"""Who leads in a variant, where somebody stands, and the distribution of ratings.

On the leaderboard are those who have played in the last 90 days and whose rating is not provisional; equal
points share a place. The first places are counted exactly; those further down follow from a distribution that
the worker counts every few minutes, for counting so many on every page would take long.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.core.cache import cache
from django.db.models import Count, QuerySet

from crownhead import VARIANTS
from crownhead.server.core import clock
from crownhead.server.core.pagination import Page, beside, page
from crownhead.server.core.queries.prepared import Prepared
from crownhead.server.ratings.models import Distribution, PlayerRating
from crownhead.server.ratings.selectors.strength import ACTIVE

ORDER = ("-points", "id")
STEP = 50  # points of a column of the distribution
EXACT = 1000  # places that are counted one by one
MAX_PROVISIONAL = 20
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
    """A variant at a glance: how many are on its leaderboard, and who is at its head.

    ``provisional``: how many of those who played last have a provisional rating, up to `MAX_PROVISIONAL`.
    While nobody has another one, ``leader`` and ``points`` are of the best of them.
    """

    variant: str
    players: int
    points: int
    leader: str
    provisional: int = 0


def listed(variant: str, *, now: datetime) -> QuerySet[PlayerRating]:
    """The players on the leaderboard, their names loaded along."""
    rows = PlayerRating.objects.filter(variant=variant, listed_until__isnull=False, listed_until__gt=now)
    return rows.select_related("user")


def listed_among(user_ids: Collection[int], variant: str, *, now: datetime) -> QuerySet[PlayerRating]:
    """Those of some players who are on the leaderboard, sought by the players."""
    rows = PlayerRating.objects.filter(user_id__in=user_ids)
    rows = rows.alias(key=beside("variant"), until=beside("listed_until"))
    return rows.filter(key=variant, until__gt=now)


def leaderboard(
    variant: str, *, now: datetime, cursor: str | None = None, limit: int = 50, most: int | None = None
) -> tuple[list[Place], str | None]:
    """Some lines, the best first, and the cursor of those that follow; ``most``: from these points down."""
    rows = listed(variant, now=now)
    rows_page: Page[PlayerRating] = page(
        rows if most is None else rows.filter(points__lte=most), order=ORDER, cursor=cursor, limit=limit
    )
    return _places(rows_page.items, rows), rows_page.next


def provisional(variant: str, *, now: datetime) -> list[PlayerRating]:
    """Players whose rating is provisional, the highest first; of many those who played last."""
    latest = _latest_provisional(variant, now - ACTIVE).select_related("user")[:MAX_PROVISIONAL]
    return sorted(latest, key=lambda row: (-row.points, row.user.username))


def _latest_provisional(variant: str, since: datetime) -> QuerySet[PlayerRating]:
    rows = PlayerRating.objects.filter(variant=variant, listed_until__isnull=True, games__gt=0)
    return rows.filter(updated_at__gt=since, user__is_active=True).order_by("-updated_at")


def standing_of(user_id: int, variant: str, *, now: datetime) -> Standing | None:
    """The place of a player; None if they are not on the leaderboard."""
    rows = listed(variant, now=now)
    points = rows.filter(user_id=user_id).values_list("points", flat=True).first()
    if points is None:
        return None
    counts = _counts(variant, now)  # some minutes ago
    ahead = rows.filter(points__gt=points)[:EXACT].count()
    place = 1 + (ahead if ahead < EXACT else max(ahead, _ahead_of(points, counts)))
    return Standing(place, max(sum(counts.values()), place))


def distribution(variant: str, *, now: datetime) -> list[Column]:
    """How many have which rating, without gaps from the lowest to the highest; some minutes old."""
    steps: dict[int, int] = {}
    for points, players in _counts(variant, now).items():
        steps[points // STEP] = steps.get(points // STEP, 0) + players
    every = range(min(steps, default=0), max(steps, default=-1) + 1)
    return [Column(step * STEP, step * STEP + STEP - 1, steps.get(step, 0)) for step in every]


def leads(*, now: datetime) -> dict[str, Lead]:
    """Variants at a glance, by key: those in which somebody is rated; some minutes old."""
    key = "ratings:leads-and-provisional"
    leaders: dict[str, Lead] | None = cache.get(key)
    if leaders is None:
        found = (_lead(variant, now) for variant in VARIANTS)
        leaders = {lead.variant: lead for lead in found if lead.players or lead.provisional}
        cache.set(key, leaders, timeout=_KEPT)
    return leaders


# Asked of each variant in one request.
_FIRST = Prepared(
    lambda variant, now: (
        listed(variant, now=now).order_by(*ORDER).values_list("points", "user__username")[:1]
    ),
    variant=str,
    now=datetime,
)
_PROVISIONAL = Prepared(
    lambda variant, since: _latest_provisional(variant, since).values_list("points", "user__username")[
        :MAX_PROVISIONAL
    ],
    variant=str,
    since=datetime,
)
_DISTRIBUTION = Prepared(lambda variant: Distribution.objects.filter(variant=variant), variant=str)


def _lead(variant: str, now: datetime) -> Lead:
    first = _FIRST.first(variant=variant, now=now)
    waiting = _PROVISIONAL.rows(variant=variant, since=now - ACTIVE)
    players = 0 if first is None else max(sum(_counts(variant, now).values()), 1)
    best = first or min(waiting, key=lambda row: (-row[0], row[1]), default=(0, ""))
    return Lead(variant, players, *best, len(waiting))


def _places(page_rows: Sequence[PlayerRating], rows: QuerySet[PlayerRating]) -> list[Place]:
    """The lines of some rows that follow one another in the order of the leaderboard."""
    if not page_rows:
        return []
    first = page_rows[0]
    ahead = rows.filter(points__gt=first.points)[:EXACT].count()
    passed = ahead + rows.filter(points=first.points, id__lt=first.pk)[:EXACT].count()
    if passed >= EXACT:
        return _places_far_down(page_rows, ahead)
    made: list[Place] = []
    for row in page_rows:
        is_tied = bool(made) and made[-1].row.points == row.points
        made.append(Place(made[-1].place if is_tied else (passed if made else ahead) + 1, row))
        passed += 1
    return made


def _places_far_down(page_rows: Sequence[PlayerRating], ahead: int) -> list[Place]:
    """The places of players far down, by the distribution, which is some minutes old."""
    counts = _counts(page_rows[0].variant, clock.now())
    return [Place(max(ahead, _ahead_of(row.points, counts)) + 1, row) for row in page_rows]


def _ahead_of(points: int, counts: Mapping[int, int]) -> int:
    return sum(players for other, players in counts.items() if other > points)


def _counts(variant: str, now: datetime) -> dict[int, int]:
    """How many on the leaderboard have how many points; some minutes old, or exact if nobody has counted."""
    key = f"ratings:counts:{variant}"
    counts: dict[int, int] | None = cache.get(key)
    if counts is None:
        row = _DISTRIBUTION.first(variant=variant)
        counts = counted(variant, now) if row is None else {int(key): row.counts[key] for key in row.counts}
        cache.set(key, counts, timeout=_KEPT)
    return counts


def counted(variant: str, now: datetime) -> dict[int, int]:
    rows = listed(variant, now=now).select_related(None).order_by()
    return dict(rows.values_list("points").annotate(Count("id")))
