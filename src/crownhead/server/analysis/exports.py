"""What this app knows of one person, for the archive of his data; what he had looked at is kept for a day."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from crownhead.server.accounts.selectors import User
from crownhead.server.analysis.models import Allowance, Review, Study
from crownhead.server.core.exports import part


@part("reviews")
def reviews(user: User) -> Iterator[dict[str, Any]]:
    """The games that he had reviewed."""
    rows = Review.objects.filter(asked_by=user).order_by("id")
    for row in rows.values("game_id", "nodes", "progress", "created_at").iterator():
        yield dict(row)


@part("analyses")
def analyses(user: User) -> Iterator[dict[str, Any]]:
    """The positions that he had looked at, of the last day."""
    rows = Study.objects.filter(caller=f"user:{user.pk}").order_by("id")
    for row in rows.values("variant", "start_fen", "moves", "created_at").iterator():
        yield dict(row)


@part("engine_allowance")
def allowance(user: User) -> Iterator[dict[str, Any]]:
    """What the staff allow him, where it is not what all may have."""
    rows = Allowance.objects.filter(user=user)
    for row in rows.values("games", "seconds", "shut", "reason", "set_at"):
        yield dict(row)
