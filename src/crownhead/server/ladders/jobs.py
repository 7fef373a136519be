"""Repeated work for ladders."""

from __future__ import annotations

from datetime import datetime, timedelta

from crownhead.server.core.background.checks import check
from crownhead.server.core.background.outages import Outage, compensation
from crownhead.server.core.jobs import repeat
from crownhead.server.ladders.services import checking, founding, idleness, leaving, voiding


@repeat("idle on ladders", timedelta(hours=1), lasts=True)
def drop_idle_members(now: datetime) -> None:
    """Drop idle members."""
    idleness.drop_idle(now=now)


@repeat("ladders of new games", timedelta(hours=24), lasts=True)
def open_default_ladders(now: datetime) -> None:
    """Open the first ladders of new variants."""
    founding.ensure_defaults(now=now)


@repeat("ladders of closed accounts", timedelta(minutes=10), lasts=True)
def leave_ladders_of_closed_accounts(now: datetime) -> None:
    """Leave what a worker has left of them."""
    leaving.leave_forgotten(now=now)


@repeat("games of who left ladders", timedelta(minutes=10), lasts=True)
def end_games_of_who_left(now: datetime) -> None:
    """End what a worker has left of them."""
    leaving.end_forgotten(now=now)


@repeat("challenges of closed ladders", timedelta(minutes=10), lasts=True)
def void_challenges_of_closed_ladders(_now: datetime) -> None:
    """Void what a worker has left of them."""
    voiding.void_forgotten()


@compensation("idle on ladders")
def forgive_outage(outage: Outage, after: int) -> int | None:
    """Let nobody be idle because nobody could play."""
    return idleness.forgive(outage, after)


check("ladders")(checking.findings)
