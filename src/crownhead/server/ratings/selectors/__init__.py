"""The questions asked of ratings."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from crownhead.server.core import clock
from crownhead.server.core.queries.prepared import Prepared
from crownhead.server.play.games.providers import UNRATED
from crownhead.server.ratings.models import Change, PlayerRating, Score
from crownhead.server.ratings.selectors import strength
from crownhead.server.ratings.selectors.strength import Strength

__all__ = [
    "Change",
    "Rating",
    "Win",
    "best_wins",
    "changes_of_game",
    "history",
    "named_changes_of_game",
    "points_beside",
    "points_in",
    "points_of",
    "rating_of",
    "ratings_at",
    "ratings_by_name",
    "ratings_in",
    "ratings_of",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """What a player is rated in a variant now; ``games`` is 0 for somebody who has no rating yet.

    ``deviation`` has grown since the last game; ``peak`` is the best rating that was not provisional.
    """

    user_id: int
    variant: str
    points: int = UNRATED
    deviation: int = round(Strength().rating.deviation)
    provisional: bool = True
    games: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    peak: int | None = None
    updated_at: datetime | None = None


def rating_of(user_id: int, variant: str, *, now: datetime | None = None) -> Rating:
    """The player's rating in a variant; the initial rating if there is none."""
    row = PlayerRating.objects.filter(user_id=user_id, variant=variant, games__gt=0).first()
    return Rating(user_id=user_id, variant=variant) if row is None else rating(row, now or clock.now())


_RATINGS = Prepared(
    lambda user: PlayerRating.objects.filter(user_id=user, games__gt=0).order_by("-games", "variant"),
    user=int,
)


def ratings_of(user_id: int, *, now: datetime | None = None) -> list[Rating]:
    """All ratings of a player, those with the most games first."""
    return [rating(row, now or clock.now()) for row in _RATINGS.rows(user=user_id)]


@dataclass(frozen=True, slots=True)
class Win:
    """A rated game that somebody won: against whom, and what they were rated then."""

    game_id: str
    opponent: str
    points: int
    at: datetime


MAX_WINS = 3
_LATEST = 1000  # rated games among which the best wins are looked for


def _best_wins(user: int, variant: str) -> QuerySet[Change, tuple[Any, ...]]:
    """The wins against the strongest opponents, among the latest changes, which the index has in order."""
    latest = Change.objects.filter(user_id=user, variant=variant).order_by("-id").values("pk")[:_LATEST]
    won = Change.objects.filter(pk__in=latest, score=Score.WON, hidden=False)
    facts = won.values_list("game_id", "opponent__username", "opponent_value", "at")
    return facts.order_by("-opponent_value", "-id")[:MAX_WINS]


_BEST_WINS: Prepared[tuple[Any, ...]] = Prepared(_best_wins, user=int, variant=str)


def best_wins(user_id: int, variant: str) -> list[Win]:
    """A player's wins against the strongest opponents in a variant, hidden games apart; few of them."""
    rows = _BEST_WINS.rows(user=user_id, variant=variant)
    return [Win(game_id, opponent, round(value), at) for game_id, opponent, value, at in rows]


def ratings_in(variant: str, user_ids: Iterable[int], *, now: datetime | None = None) -> dict[int, Rating]:
    """The ratings of many players in a variant, by their keys; those who have one."""
    rows = PlayerRating.objects.filter(variant=variant, user_id__in=set(user_ids), games__gt=0)
    return {row.user_id: rating(row, now or clock.now()) for row in rows}


def ratings_at(
    places: Collection[tuple[int, str]], *, now: datetime | None = None
) -> dict[tuple[int, str], Rating]:
    """The ratings of many players in many variants at once, by key and variant; those that there are."""
    users, variants = {user_id for user_id, _ in places}, {variant for _, variant in places}
    rows = PlayerRating.objects.filter(user_id__in=users, variant__in=variants, games__gt=0)
    return {(row.user_id, row.variant): rating(row, now or clock.now()) for row in rows}


def ratings_by_name(
    places: Collection[tuple[str, str]], *, now: datetime | None = None
) -> dict[tuple[str, str], Rating]:
    """The ratings by the players' names."""
    names, variants = sorted({name for name, _ in places}), sorted({variant for _, variant in places})
    if not names:
        return {}
    rows = _by_name(_room(len(names)), _room(len(variants)))
    values = {f"name_{at}": names[min(at, len(names) - 1)] for at in range(_room(len(names)))}
    values |= {f"variant_{at}": variants[min(at, len(variants) - 1)] for at in range(_room(len(variants)))}
    return {(row.user.username, row.variant): rating(row, now or clock.now()) for row in rows.rows(**values)}


def _room(count: int) -> int:
    """For how many values a query is written that asks for so many: 2, 8, 32 or 128, and so on."""
    room = 2
    while room < count:
        room *= 4
    return room


@cache
def _by_name(names: int, variants: int) -> Prepared[PlayerRating]:
    """The ratings of so many players in so many variants."""

    def build(**values: str) -> QuerySet[PlayerRating]:
        asked = {
            kind: [value for name, value in values.items() if name.startswith(kind)]
            for kind in ("name_", "variant_")
        }
        rows = PlayerRating.objects.filter(
            user__username__in=asked["name_"], variant__in=asked["variant_"], games__gt=0
        )
        return rows.select_related("user")

    fields = [f"name_{at}" for at in range(names)] + [f"variant_{at}" for at in range(variants)]
    return Prepared(build, **dict.fromkeys(fields, str))


def history(user_id: int, variant: str) -> QuerySet[Change]:
    """Every change of a player's rating in a variant, the latest first, the opponents loaded along."""
    rows = Change.objects.filter(user_id=user_id, variant=variant)
    return rows.select_related("opponent").order_by("-id")


def changes_of_game(game_id: str) -> dict[int, tuple[int, int]]:
    """What a game made of the ratings of its players: by key, the points before and after; or nothing."""
    rows = Change.objects.filter(game_id=game_id)
    return {change.user_id: (round(change.value_before), round(change.value)) for change in rows}


def named_changes_of_game(game_id: str) -> list[tuple[str, int, int]]:
    """The changes of a game with the players' names, the first side first."""
    rows = Change.objects.filter(game_id=game_id).select_related("user").order_by("id")
    return [(change.user.username, round(change.value_before), round(change.value)) for change in rows]


def points_of(user_id: int, variant: str) -> int:
    """How strong a player counts as in a variant: 1500 without a rating."""
    return points_in([user_id], variant).get(user_id, UNRATED)


def points_in(user_ids: Collection[int], variant: str) -> dict[int, int]:
    """How strong some players count as in a variant, by their keys; those who have a rating."""
    rows = PlayerRating.objects.filter(user_id__in=set(user_ids), variant=variant)
    return dict(rows.values_list("user_id", "points"))


def points_beside(*, user: str, variant: str) -> Coalesce:
    """What the player of a row counts as in its variant, to sort rows by; the names of the row's columns."""
    rows = PlayerRating.objects.filter(user=OuterRef(user), variant=OuterRef(variant), games__gt=0)
    return Coalesce(Subquery(rows.values("points")[:1]), Value(UNRATED))


def rating(row: PlayerRating, now: datetime) -> Rating:
    """The rating of a row at a moment, its deviation grown until then."""
    grown = strength.strength_of(row).by(now)
    return Rating(
        user_id=row.user_id,
        variant=row.variant,
        points=row.points,
        deviation=round(grown.deviation),
        provisional=grown.provisional,
        games=row.games,
        won=row.won,
        drawn=row.drawn,
        lost=row.lost,
        peak=row.peak,
        updated_at=row.updated_at,
    )
