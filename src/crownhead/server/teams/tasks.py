"""Work on team matches that is left to the worker."""

from __future__ import annotations

import secrets

from django_tasks import task

from crownhead.server.core import clock
from crownhead.server.core.background.killed_tasks import idempotent
from crownhead.server.teams.services import availability, calling_off, clearing, match_games


@task()
def begin_more_games(match_id: str) -> None:
    """Start the games that were too many for one request; doing it again changes nothing."""
    if match_games.begin_more(match_id=match_id, now=clock.now(), dice=secrets.SystemRandom()):
        begin_more_games.enqueue(match_id)


@idempotent
@task()
def ask_members(match_id: str) -> None:
    """Ask the members of two teams whether they can play; each is notified once, however often it is done."""
    availability.ask_members(match_id=match_id)


@idempotent
@task()
def call_off_matches(team_id: str, by_id: int) -> None:
    """Call off the matches of a disbanded team that were too many for one request; those that are left."""
    calling_off.call_off_rest(team_id=team_id, by_id=by_id, now=clock.now())


@idempotent
@task()
def leave_teams_of_closed_account(user_id: int) -> None:
    """Leave all teams, which may have to be led by others; doing it again changes nothing."""
    clearing.leave_teams_of(user_id=user_id, now=clock.now())
