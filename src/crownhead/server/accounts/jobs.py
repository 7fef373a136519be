"""Work of this app that comes again."""

from __future__ import annotations

from datetime import datetime, timedelta

from crownhead.server.accounts import leaving
from crownhead.server.core.jobs import repeat


@repeat("names given up", timedelta(hours=6))
def free_names(now: datetime) -> None:
    """Let them go when nobody need wait for them any longer."""
    leaving.free_names(now=now)
