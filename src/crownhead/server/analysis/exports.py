"""The analysis data of one person, for the export of their data; analyses are stored for a day."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from crownhead.server.accounts.selectors import User
from crownhead.server.analysis.models import Allowance, Review, Study
from crownhead.server.core.exports import part


@part("reviews")
def reviews(user: User) -> Iterator[dict[str, Any]]:
    """Reviewed games."""
    rows = Review.objects.filter(asked_by=user).order_by("id")
    for row in rows.values("game_id", "nodes", "progress", "created_at").iterator():
        yield dict(row)


@part("analyses")
def analyses(user: User) -> Iterator[dict[str, Any]]:
    """Analysed positions of the last day."""
    rows = Study.objects.filter(caller=f"user:{user.pk}").order_by("id")
    for row in rows.values("variant", "start_fen", "moves", "created_at").iterator():
        yield dict(row)


@part("engine_allowance")
def allowance(user: User) -> Iterator[dict[str, Any]]:
    """The person's own limits, where the staff have set any."""
    rows = Allowance.objects.filter(user=user)
    for row in rows.values("games", "seconds", "shut", "reason", "set_at"):
        yield dict(row)
