"""Who is online, for a list."""

from __future__ import annotations

from datetime import datetime

from crownhead.server.accounts.selectors import AWAY_AFTER, User, players_seen
from crownhead.server.core.queries.prepared import Prepared

MOST = 200  # of whom a list shows
_ONLINE = Prepared(
    lambda since: (
        players_seen().filter(last_seen_at__gt=since).select_related("preferences", "profile")[:MOST]
    ),
    since=datetime,
)


def online(now: datetime) -> list[User]:
    """The players who are online and show it, the latest first, with what a list shows of them."""
    return _ONLINE.rows(since=now - AWAY_AFTER)
