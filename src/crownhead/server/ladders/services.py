"""The verbs of ladders, for the doors; each is one transaction, ``ladder_id`` is the public identifier."""

from __future__ import annotations

from crownhead.server.ladders.challenges import challenge
from crownhead.server.ladders.founding import close_ladder, close_up, ensure_defaults, open_ladder
from crownhead.server.ladders.idleness import sink_idle
from crownhead.server.ladders.memberships import join, leave, place, remove

__all__ = [
    "challenge",
    "close_ladder",
    "close_up",
    "ensure_defaults",
    "join",
    "leave",
    "open_ladder",
    "place",
    "remove",
    "sink_idle",
]
