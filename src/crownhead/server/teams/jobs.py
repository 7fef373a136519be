"""Repeated work of this app."""

from __future__ import annotations

from datetime import datetime, timedelta

from crownhead.server.core.background.checks import check
from crownhead.server.core.jobs import repeat
from crownhead.server.teams import tasks
from crownhead.server.teams.selectors.matches import half_begun
from crownhead.server.teams.services import calling_off, checking, clearing


@repeat("games of team matches", timedelta(minutes=5), lasts=True)
def begin_what_was_left(_now: datetime) -> None:
    """Go on with matches whose games did not all start, as when the worker was stopped."""
    for match_id in half_begun():
        tasks.begin_more_games.enqueue(match_id)


@repeat("teams that were disbanded", timedelta(minutes=5), lasts=True)
def clear_what_is_left(now: datetime) -> None:
    """Call off and delete what is left of disbanded teams, and leave the teams of closed accounts."""
    calling_off.call_off_what_was_left(now=now)
    clearing.clear_disbanded()
    clearing.leave_teams_of_closed_accounts(now=now)


@repeat("proposals of team matches", timedelta(hours=1), lasts=True)
def expire_proposals(now: datetime) -> None:
    """Withdraw the proposals that nobody has answered in time."""
    calling_off.expire_proposals(now=now)


check("teams")(checking.findings)
