"""Work on games that is left to the worker."""

from __future__ import annotations

from django_tasks import task

from crownhead.server.core import clock
from crownhead.server.core.background.killed_tasks import idempotent
from crownhead.server.play.games.services import account_closing
from crownhead.server.play.moves.services import go_on_with_plans
from crownhead.server.play.vacation import budget


@idempotent
@task()
def make_planned_moves(game_id: str) -> None:
    """Make the planned moves that were too many for one request; doing it again changes nothing."""
    go_on_with_plans(game_id=game_id, now=clock.now())


@idempotent
@task()
def end_games_of_closed_account(user_id: int) -> None:
    """End the games and offers of an account that is closed or locked; doing it again changes nothing."""
    account_closing.end_everything_of(user_id=user_id, now=clock.now())


@idempotent
@task()
def set_clocks(user_id: int) -> None:
    """Set the clocks that were too many for one request; doing it again changes nothing."""
    budget.set_all_clocks(user_id=user_id, now=clock.now())
