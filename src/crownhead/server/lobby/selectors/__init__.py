"""The open games of the waiting room."""

from __future__ import annotations

from datetime import datetime

from crownhead.server.accounts.selectors import User
from crownhead.server.play.games.blocking import exclude_blocked_either_way
from crownhead.server.play.selectors import Games, Viewer, waiting_games


def waiting_room(*, viewer: Viewer, now: datetime, variant: str | None = None) -> Games:
    """The open games, newest first, their creators loaded; ``variant``: only that variant.

    Games of players who block the viewer, or whom they block, are left out.
    """
    rows = waiting_games(now=now, variant=variant)
    return exclude_blocked_either_way(rows, viewer) if isinstance(viewer, User) else rows
