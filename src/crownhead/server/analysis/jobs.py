"""Repeated work of the engine's app."""

from __future__ import annotations

from datetime import datetime, timedelta

from django_tasks_db.models import DBTaskResult

from crownhead.server.accounts.selectors import computers
from crownhead.server.analysis import tasks
from crownhead.server.analysis.reviews import services as review_services
from crownhead.server.analysis.studies import services as study_services
from crownhead.server.core.jobs import repeat
from crownhead.server.core.processes.queues import REPLIES, STUDIES
from crownhead.server.play import selectors

FORGOTTEN_AFTER = timedelta(minutes=1)
_MOST = 100  # games of one computer looked after at once


@repeat("games of the computer", timedelta(seconds=30))
def answer_forgotten_games(now: datetime) -> None:
    """Answer games whose task failed or whose worker died."""
    if DBTaskResult.objects.ready().filter(queue_name=REPLIES).exists():
        return  # not forgotten, but still to come
    for user in computers():
        waiting = selectors.my_games(user=user, turn=True).filter(turn_since__lte=now - FORGOTTEN_AFTER)
        for game in waiting[:_MOST]:
            member_id = game.second_player_id if game.first_player_id == user.pk else game.first_player_id
            tasks.take_turn(game_id=game.public_id, computer_id=user.pk, member_id=member_id)


@repeat("old studies", timedelta(hours=1), lasts=True)
def delete_old_studies(now: datetime) -> None:
    """Delete old studies."""
    study_services.delete_old(now=now)


@repeat("reviews left lying", timedelta(minutes=1))
def resume_reviews(now: datetime) -> None:
    """Resume reviews whose worker died."""
    if not DBTaskResult.objects.ready().filter(queue_name=STUDIES).exists():
        review_services.resume_stuck(now=now)
