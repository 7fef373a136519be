"""Repeated work of this app."""

from __future__ import annotations

from datetime import datetime, timedelta

from crownhead.server.core.jobs import repeat
from crownhead.server.problems import services


@repeat("problems of closed accounts", timedelta(minutes=10), lasts=True)
def clear_closed(now: datetime) -> None:
    """Delete what closed accounts have tried."""
    services.clear(now=now)
