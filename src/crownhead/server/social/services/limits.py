"""Limits on messages to people who have never written to the sender."""

from __future__ import annotations

from crownhead.server.accounts.selectors import User
from crownhead.server.core.limits import spend
from crownhead.server.social import selectors


def spend_for(*, user: User, other: User | None) -> None:
    """Count a message to somebody who has never written to the user; raises ``TooMany``.

    The first message to them and all others, for each of them notifies.
    """
    if other is not None and other != user and not selectors.has_heard_from(user=user, other=other):
        spend(scope="strangers", who=f"user:{user.pk}")
