"""Looking for players by name, country and rating, along the index of one of them.

A rating comes first, then a country, then a name: its rows are read in the order of their index. What is
asked besides is compared row by row, and a page looks at so many rows at most. It may then have few players,
or none, and still a following page.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from crownhead import VARIANTS
from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.choices.countries import COUNTRIES
from crownhead.server.accounts.selectors import User
from crownhead.server.accounts.validators import folded
from crownhead.server.core import clock
from crownhead.server.core.pagination import MAX_LIMIT, cursor_of, page
from crownhead.server.ratings.selectors import leaderboards

LOOKED_AT = 400  # rows for a page


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is looked for; the ratings are those in ``variant``, of players on its leaderboard."""

    name: str = ""
    country: str = ""
    variant: str = ""
    least: int | None = None
    most: int | None = None

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

    By rating, the highest first; of a country, who joined last first; by name, or all, in alphabetical order.
    A variant or a country that there isn't has nobody. Raises ``BadRequest`` for a wrong cursor.
    """
    rows, order, user_of = _rows(wanted)
    other = _others(wanted)
    if other is None:
        found = page(rows, order=order, cursor=cursor, limit=limit)
        return [_found(row, user_of(row)) for row in found.items], found.next
    players: list[Found] = []
    for _part in range(LOOKED_AT // MAX_LIMIT):
        part = page(rows, order=order, cursor=cursor, limit=MAX_LIMIT)
        for row in part.items:
            if other(user_of(row)):
                players.append(_found(row, user_of(row)))
                if len(players) == limit:
                    return players, cursor_of(row, order)
        cursor = part.next
        if cursor is None:
            break
    return players, cursor


def _rows(wanted: Wanted) -> tuple[QuerySet[Any], Sequence[str], Callable[[Any], User]]:
    """The rows of one index, their order, and whose they are."""
    if wanted.variant:
        key = wanted.variant if wanted.variant in VARIANTS else ""
        rated = leaderboards.listed(key, now=clock.now()).select_related("user__profile")
        if wanted.least is not None:
            rated = rated.filter(points__gte=wanted.least)
        if wanted.most is not None:
            rated = rated.filter(points__lte=wanted.most)
        return rated, leaderboards.ORDER, lambda row: row.user
    if wanted.country:
        code = wanted.country if wanted.country in COUNTRIES else ""
        return accounts.profiles_of_country(code), ("-user_id",), lambda row: row.user
    return accounts.players_by_prefix(wanted.name), ("folded",), lambda row: row


def _others(wanted: Wanted) -> Callable[[User], bool] | None:
    """What rows are compared with besides their index; None where there is nothing else."""
    name = folded(wanted.name.strip()) if wanted.variant or wanted.country else ""
    country = wanted.country if wanted.variant else ""
    if not (name or country or wanted.variant):
        return None

    def suits(user: User) -> bool:
        if not user.is_active or not user.folded.startswith(name):
            return False
        return not country or accounts.profile_of(user).country == country

    return suits


def _found(row: Any, user: User) -> Found:
    return Found(user, getattr(row, "points", None))
