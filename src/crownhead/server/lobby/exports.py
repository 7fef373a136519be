"""The part of a member's data export that comes from the lobby."""

from __future__ import annotations

from typing import Any

from crownhead.server.accounts.selectors import User
from crownhead.server.core.exports import part
from crownhead.server.lobby.models import Visit


@part("visits")
def visits(user: User) -> dict[str, Any] | None:
    """When they last opened the home page, and when the visit before ended."""
    visit = Visit.objects.filter(user=user).first()
    return None if visit is None else {"seen_at": visit.seen_at, "before_at": visit.before_at}
