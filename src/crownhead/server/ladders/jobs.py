"""Repeated work for ladders."""

from __future__ import annotations

from datetime import datetime, timedelta

from crownhead.server.core.background.checks import check
from crownhead.server.core.background.outages import Outage, compensation
from crownhead.server.core.jobs import repeat
from crownhead.server.ladders.services import checking, founding, idleness


@repeat("idle on ladders", timedelta(hours=1), lasts=True)
def drop_idle_members(now: datetime) -> None:
    """Drop idle members."""
    idleness.drop_idle(now=now)


@repeat("ladders of new games", timedelta(hours=24), lasts=True)
def open_default_ladders(now: datetime) -> None:
    """Open the first ladders of new variants."""
    founding.ensure_defaults(now=now)


@compensation("idle on ladders")
def forgive_outage(outage: Outage, after: int) -> int | None:
    """Let nobody be idle because nobody could play."""
    return idleness.forgive(outage, after)


check("ladders")(checking.findings)
