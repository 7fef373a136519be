"""What comes again in this app."""

from __future__ import annotations

from datetime import datetime, timedelta

from crownhead.server.core.jobs import repeat
from crownhead.server.social.services import bans


@repeat("bans that are over", timedelta(minutes=1))
def lift_bans(now: datetime) -> None:
    """Whose time is over may come in again."""
    bans.lift_due(now=now)
