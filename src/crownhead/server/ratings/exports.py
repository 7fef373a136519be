"""The ratings of one person, for the export of their data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from crownhead.server.accounts.selectors import User
from crownhead.server.core.exports import part
from crownhead.server.ratings import selectors
from crownhead.server.ratings.models import Change


@part("ratings")
def ratings(user: User) -> Iterator[dict[str, Any]]:
    """The rating in each variant."""
    for rating in selectors.ratings_of(user.pk):
        facts = asdict(rating)
        del facts["user_id"]
        yield facts


@part("rating_changes")
def changes(user: User) -> Iterator[dict[str, Any]]:
    """Every game that has changed a rating, in order."""
    rows = Change.objects.filter(user=user).select_related("opponent").order_by("id")
    for change in rows.iterator():
        yield {
            "game": change.game_id,
            "variant": change.variant,
            "at": change.at,
            "opponent": change.opponent.username,
            "result": change.score,
            "live": change.live,
            "on_time": change.on_time,
            "before": change.value_before,
            "after": change.value,
            "deviation": change.deviation,
            "volatility": change.volatility,
        }
