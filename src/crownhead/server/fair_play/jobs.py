"""Repeated work of fair play."""

from __future__ import annotations

from datetime import datetime, timedelta

from crownhead.server.core.jobs import repeat
from crownhead.server.fair_play import services


@repeat("old evidence of fair play", timedelta(hours=6), lasts=True)
def delete_old_evidence(now: datetime) -> None:
    """Delete what has expired, and what closed accounts have left."""
    services.delete_old(now=now)
