"""What is in the waiting room."""

from __future__ import annotations

from datetime import datetime

from crownhead.server.play.selectors import Games, Viewer, waiting_games


def waiting_room(*, viewer: Viewer, now: datetime, variant: str | None = None) -> Games:  # noqa: ARG001 - every offer is public so far
    """The open games, newest first, their creators loaded; ``variant``: a key to keep to."""
    return waiting_games(now=now, variant=variant)
