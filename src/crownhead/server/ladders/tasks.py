"""Work on ladders that is left to the worker."""

from __future__ import annotations

from django_tasks import task

from crownhead.server.core import clock
from crownhead.server.core.background.killed_tasks import idempotent
from crownhead.server.ladders.services import leaving, voiding


@idempotent
@task()
def leave_ladders_of_closed_account(user_id: int) -> None:
    """Leave all ladders; doing it again changes nothing."""
    leaving.leave_all(user_id=user_id, now=clock.now())


@idempotent
@task()
def void_challenges_of_closed_ladder(ladder_id: str) -> None:
    """Void the challenges that were too many for one request; doing it again changes nothing."""
    voiding.void_the_rest(ladder_id=ladder_id)


@idempotent
@task()
def end_unplayed_games(game_ids: list[str], user_id: int) -> None:
    """End the games of void challenges of somebody who has left; doing it again changes nothing."""
    leaving.end_unplayed(game_ids, user_id=user_id, now=clock.now())
