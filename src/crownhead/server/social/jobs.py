"""Repeated work of this app."""

from __future__ import annotations

from datetime import datetime, timedelta

from crownhead.server.core.jobs import repeat
from crownhead.server.social.services import bans, clearing


@repeat("bans that are over", timedelta(minutes=1))
def lift_bans(now: datetime) -> None:
    """Lift the bans whose time is over."""
    bans.lift_due(now=now)


@repeat("messages that were deleted", timedelta(minutes=5), lasts=True)
def clear_deleted(now: datetime) -> None:
    """Delete what nobody sees of conversations that were deleted whole, and of closed accounts."""
    clearing.clear(now=now)
