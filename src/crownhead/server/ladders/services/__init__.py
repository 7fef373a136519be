"""The services of ladders; each is one transaction, and ``ladder_id`` is the public id."""

from __future__ import annotations

from crownhead.server.ladders.services.challenges import challenge
from crownhead.server.ladders.services.founding import close_ladder, close_up, ensure_defaults, open_ladder
from crownhead.server.ladders.services.idleness import drop_idle
from crownhead.server.ladders.services.memberships import join, leave, place, remove

__all__ = [
    "challenge",
    "close_ladder",
    "close_up",
    "drop_idle",
    "ensure_defaults",
    "join",
    "leave",
    "open_ladder",
    "place",
    "remove",
]
