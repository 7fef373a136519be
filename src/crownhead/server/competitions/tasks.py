"""Work on tournaments that is left to the worker."""

from __future__ import annotations

from django_tasks import task

from crownhead.server.accounts.selectors import User
from crownhead.server.competitions.services import leaving
from crownhead.server.core import clock


@task()
def end_games_of_who_left(
    game_ids: list[str], user_id: int, director_id: int | None, reason: str, *, nothing: bool
) -> None:
    """End the games that were too many for one request; doing it again changes nothing."""
    user = User.objects.get(pk=user_id)
    director = None if director_id is None else User.objects.get(pk=director_id)
    leaving.end_the_rest(game_ids, leaving.Ending(user, director, reason, nothing), clock.now())
