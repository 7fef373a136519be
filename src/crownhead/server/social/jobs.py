"""Repeated work of this app."""

from __future__ import annotations

from datetime import datetime, timedelta

from crownhead.server.core.jobs import repeat
from crownhead.server.social.services import bans


@repeat("bans that are over", timedelta(minutes=1))
def lift_bans(now: datetime) -> None:
    """Lift the bans whose time is over."""
    bans.lift_due(now=now)
