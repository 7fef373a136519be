"""Work of this app that comes again."""

from __future__ import annotations

from datetime import datetime, timedelta

from crownhead.server.accounts.security import sessions
from crownhead.server.accounts.services import closing
from crownhead.server.core.jobs import repeat


@repeat("names given up", timedelta(hours=6))
def free_names(now: datetime) -> None:
    """Let them go when nobody need wait for them any longer."""
    closing.free_names(now=now)


@repeat("sessions that ended", timedelta(hours=6))
def forget_sessions(now: datetime) -> None:
    """Nobody can use them any more."""
    sessions.forget_ended(now=now)
