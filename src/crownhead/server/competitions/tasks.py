"""Work on tournaments for the worker."""

from __future__ import annotations

from datetime import datetime

from django_tasks import TaskContext, task

from crownhead.server.accounts.selectors import User
from crownhead.server.competitions.services import appointments, entries, leaving
from crownhead.server.core import clock
from crownhead.server.core.background.killed_tasks import idempotent


@idempotent
@task()
def end_games_of_who_left(
    game_ids: list[str], user_id: int, director_id: int | None, reason: str, *, nothing: bool
) -> None:
    """End the open games of a player who has left; doing it again changes nothing."""
    user = User.objects.get(pk=user_id)
    director = None if director_id is None else User.objects.get(pk=director_id)
    leaving.end_the_rest(game_ids, leaving.Ending(user, director, reason, nothing), clock.now())


@idempotent
@task(takes_context=True)
def tell_times(context: TaskContext, pairings: list[tuple[int, str | None]]) -> None:
    """Tell the players of pairings of a substitute when their games begin; again, it tells nobody twice."""
    since = context.task_result.enqueued_at
    assert since is not None
    times = ((key, datetime.fromisoformat(at) if at else None) for key, at in pairings)
    appointments.tell_times(times, since=since)


@idempotent
@task()
def forget_closed_account(user_id: int) -> None:
    """Leave all tournaments; doing it again changes nothing."""
    entries.forget(user_id=user_id, now=clock.now())
