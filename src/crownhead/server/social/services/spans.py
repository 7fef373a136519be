"""How long a player is kept out: for what holds already and what comes to it."""

from __future__ import annotations

from datetime import datetime
from typing import Any, TypeVar

from crownhead.server.accounts.selectors import User
from crownhead.server.social.models import Ban, Mute

Row = TypeVar("Row", Ban, Mute)


def keep_out(
    rows: type[Row], *, user: User, until: datetime | None, shorten: bool, facts: dict[str, Any]
) -> Row:
    """Store that a player is kept out until then, within a transaction; None: until it is lifted.

    What holds already takes the new facts. It ends at another time, but never sooner unless ``shorten``.
    """
    row, is_new = rows.objects.select_for_update().get_or_create(
        user=user, defaults={**facts, "until": until}
    )
    if is_new:
        return row
    if shorten or not _is_later(row.until, until):
        row.until = until
    for name, value in facts.items():
        setattr(row, name, value)
    row.save()
    return row


def _is_later(one: datetime | None, other: datetime | None) -> bool:
    """Whether one end comes after another; what has none comes last."""
    return other is not None and (one is None or one > other)
