"""Repeated work for ladders."""

from __future__ import annotations

from datetime import datetime, timedelta

from crownhead.server.core.jobs import repeat
from crownhead.server.ladders.services import founding, idleness


@repeat("idle on ladders", timedelta(hours=1))
def drop_idle_members(now: datetime) -> None:
    """Drop idle members."""
    idleness.drop_idle(now=now)


@repeat("ladders of new games", timedelta(hours=24))
def open_default_ladders(now: datetime) -> None:
    """Open the first ladders of new variants."""
    founding.ensure_defaults(now=now)
