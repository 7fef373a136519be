"""Limits on messages to people whom the sender does not know."""

from __future__ import annotations

from crownhead.server.accounts.selectors import User, player
from crownhead.server.core.limits import spend
from crownhead.server.social import selectors


def spend_for(*, user: User, to: str) -> None:
    """Count a message to somebody new to the user; raises ``TooMany``."""
    other = player(to)
    if other is not None and other.pk != user.pk and not selectors.have_talked(user=user, other=other):
        spend(scope="strangers", who=f"user:{user.pk}")
