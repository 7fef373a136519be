"""What the ladders do by themselves, again and again."""

from __future__ import annotations

from datetime import datetime, timedelta

from crownhead.server.core.jobs import repeat
from crownhead.server.ladders.services import founding, idleness


@repeat("idle on ladders", timedelta(hours=1))
def sink(now: datetime) -> None:
    """Let those sink who do not play."""
    idleness.sink_idle(now=now)


@repeat("ladders of new games", timedelta(hours=24))
def found(now: datetime) -> None:
    """Give every variant its first ladders."""
    founding.ensure_defaults(now=now)
