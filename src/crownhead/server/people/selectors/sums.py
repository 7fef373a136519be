"""Sums over all games of players, kept for a while where there are very many: each view would add them up."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar

from django.core.cache import cache
from django.db.models import QuerySet

from crownhead.server.accounts.selectors import User
from crownhead.server.core.queries.prepared import Prepared
from crownhead.server.core.queries.repeated import asked_once
from crownhead.server.play.selectors import Viewer, my_finished_games_by_seat

MANY = 5_000  # games that are looked at for each view; few people play as many in their life
KEPT = 600  # seconds for which the sums of more are kept

Row = TypeVar("Row", bound=tuple[Any, ...])


def kept(what: str, viewer: Viewer, rows: Callable[[], list[Row]], *, players: tuple[User, ...]) -> list[Row]:
    """The rows as the viewer may see them, or as they were a few minutes ago.

    ``players``: the one or two whose games are looked at, also those that do not count.
    """
    keys = [player.pk for player in players]
    seen_by = "guests" if viewer is None or viewer.pk is None else str(viewer.pk)
    seen_by += ":staff" if getattr(viewer, "acts_as_staff", False) else ""
    address = f"sums:{what}:{':'.join(map(str, keys))}:{seen_by}"
    before: list[Row] | None = cache.get(address)
    if before is not None:
        return before
    with asked_once():
        if _looks_at_many(*keys):
            made = rows()
            cache.set(address, made, KEPT)
            return made
    return rows()


def _looks_at_many(one: int, other: int | None = None) -> bool:
    if other is None:
        return _has_many(one)
    return _has_many(other) and _has_many(one) and bool(_of_two(MANY).rows(one=one, other=other))


def _has_many(player: int) -> bool:
    """Whether somebody has finished so many games, or had some minutes ago: a page asks more than once."""
    address = f"sums:many:{player}"
    found: bool | None = cache.get(address)
    if found is None:
        found = bool(_of_one(MANY).rows(one=player))
        cache.set(address, found, KEPT)
    return found


@lru_cache(maxsize=4)
def _of_one(count: int) -> Prepared[Any]:
    """A row if somebody has finished so many games."""

    def build(one: int) -> QuerySet[Any, Any]:
        first, second = my_finished_games_by_seat(user=User(pk=one))
        return _last_of(count, first, second)

    return Prepared(build, one=int)


@lru_cache(maxsize=4)
def _of_two(count: int) -> Prepared[Any]:
    """A row if two have finished so many games against each other."""

    def build(one: int, other: int) -> QuerySet[Any, Any]:
        first, second = my_finished_games_by_seat(user=User(pk=one))
        return _last_of(count, first.filter(second_player=other), second.filter(first_player=other))

    return Prepared(build, one=int, other=int)


def _last_of(count: int, first: QuerySet[Any, Any], second: QuerySet[Any, Any]) -> QuerySet[Any, Any]:
    rows = first.order_by().values_list("pk")
    return rows.union(second.order_by().values_list("pk"), all=True)[count - 1 : count]
