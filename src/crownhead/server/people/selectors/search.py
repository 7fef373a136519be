"""Looking for players by name, country and rating, along the index of one of them.

A rating comes first, then a country: its rows are read in the order of their index, so many at most for a
page, and compared with what is asked besides; a name is one that has all words of the text, wherever they
stand. Such a page may have few players, or none, and still a following one. A name alone is sought by its
beginning, for which there is an index; those with its words elsewhere, among the players who were here last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from django.db.models import QuerySet

from crownhead import VARIANTS
from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.choices import Visibility
from crownhead.server.accounts.choices.countries import COUNTRIES
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.pagination import Part, beside, page, sifted
from crownhead.server.ratings.selectors import leaderboards

NAMED = 200  # players by each way to find a name, whose country and rating are looked at


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is looked for; the ratings are those in ``variant``, of players on its leaderboard.

    ``by_guest``: a guest looks, who isn't told the country of a profile for members only.
    """

    name: str = ""
    country: str = ""
    variant: str = ""
    least: int | None = None
    most: int | None = None
    by_guest: bool = False

    @property
    def anything(self) -> bool:
        """Whether something is asked at all."""
        return bool(self.name or self.country or self.variant)

    @property
    def name_alone(self) -> bool:
        """Whether nothing but a name is asked."""
        return bool(self.name) and not (self.country or self.variant)


@dataclass(frozen=True, slots=True)
class Found:
    """A player who was looked for; ``points``: their rating, if one was asked."""

    user: User
    points: int | None = None


def find_players(wanted: Wanted, *, cursor: str | None, limit: int) -> tuple[list[Found], str | None]:
    """Some players, and the cursor of those that follow.

    By rating, the highest first; of a country, who joined last first; whose names begin with a name, or all,
    in alphabetical order. A variant or a country that there isn't has nobody. Raises ``BadRequest`` for a
    wrong cursor.
    """
    if not (wanted.country or wanted.variant):
        named = accounts.players_by_prefix(wanted.name)
        users = page(named, order=("folded",), cursor=cursor, limit=limit)
        return [Found(user) for user in users.items], users.next
    along, order = _along(wanted)
    parts = [Part(along, _suiting(along, wanted))]
    found = sifted(parts, along.select_related("user__profile"), order=order, cursor=cursor, limit=limit)
    return [Found(row.user, getattr(row, "points", None)) for row in found.items], found.next


def find_by_name(wanted: Wanted, *, limit: int) -> list[Found]:
    """Some players with the words of a name, if there is one, whom an index might show many pages later.

    Looked at are those whose names begin with it, and those who were here last; by rating, or by name.
    """
    if not wanted.name:
        return []
    groups = (accounts.players_by_prefix(wanted.name), accounts.players_containing(wanted.name))
    facts = ("pk", "profile__country", "preferences__visibility")
    named = {key: told for key, *told in chain(*(group.values_list(*facts)[:NAMED] for group in groups))}
    keys = [
        key
        for key, (country, visibility) in named.items()
        if not wanted.country
        or (wanted.country == country and not (wanted.by_guest and visibility == Visibility.MEMBERS))
    ]
    points: dict[int, int | None] = dict.fromkeys(keys[:limit])
    if wanted.variant:
        rated = _between(leaderboards.listed_among(keys, _variant(wanted), now=clock.now()), wanted)
        points = dict(rated.order_by(*leaderboards.ORDER).values_list("user_id", "points")[:limit])
    users = accounts.players(points)
    return [Found(users[key], rating) for key, rating in points.items() if key in users]


def _along(wanted: Wanted) -> tuple[QuerySet[Any], Sequence[str]]:
    """The rows of one index, and their order."""
    if wanted.variant:
        return _between(leaderboards.listed(_variant(wanted), now=clock.now()), wanted), leaderboards.ORDER
    code = wanted.country if wanted.country in COUNTRIES else ""
    return accounts.profiles_of_country(code), ("-user_id",)


def _suiting(rows: QuerySet[Any], wanted: Wanted) -> QuerySet[Any]:
    """Those with everything else that is asked, for which no index is sought."""
    rows = rows.filter(user__is_active=True)
    for word in accounts.words_of(wanted.name):
        rows = rows.filter(user__folded__contains=word)
    if wanted.variant and wanted.country:
        rows = rows.alias(land=beside("user__profile__country")).filter(land=wanted.country)
    if wanted.country and wanted.by_guest:
        rows = rows.exclude(user__preferences__visibility=Visibility.MEMBERS)
    return rows


def _between(rows: QuerySet[Any], wanted: Wanted) -> QuerySet[Any]:
    if wanted.least is not None:
        rows = rows.filter(points__gte=wanted.least)
    if wanted.most is not None:
        rows = rows.filter(points__lte=wanted.most)
    return rows


def _variant(wanted: Wanted) -> str:
    return wanted.variant if wanted.variant in VARIANTS else ""
