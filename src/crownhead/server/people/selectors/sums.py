"""Sums over all games of players, kept for a while where there are very many: each view would add them up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from django.core.cache import cache

from crownhead.server.play.selectors import Viewer

MANY = 5_000  # games that are added up at each view; few people play as many in their life
KEPT = 600  # seconds for which the sums of more are kept

Row = TypeVar("Row", bound=tuple[Any, ...])


def kept(key: str, viewer: Viewer, rows: Callable[[], list[Row]], *, games: int) -> list[Row]:
    """The rows as the viewer may see them, or as they were a few minutes ago.

    ``games``: the column with their numbers of games.
    """
    seen_by = "guests" if viewer is None or viewer.pk is None else str(viewer.pk)
    seen_by += ":staff" if getattr(viewer, "acts_as_staff", False) else ""
    address = f"sums:{key}:{seen_by}"
    before: list[Row] | None = cache.get(address)
    if before is not None:
        return before
    made = rows()
    if sum(row[games] for row in made) >= MANY:
        cache.set(address, made, KEPT)
    return made
