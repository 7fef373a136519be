"""Work of the engine, for the worker."""

from __future__ import annotations

from django_tasks import task
from django_tasks_db.models import DBTaskResult

from crownhead.server.analysis.computer import replies
from crownhead.server.analysis.engine import search
from crownhead.server.analysis.engine.measures import Work, working
from crownhead.server.analysis.reviews import steps
from crownhead.server.core import clock
from crownhead.server.core.processes.queues import REPLIES, STUDIES


@task(queue_name=REPLIES)
def sit_down(game_id: str, computer_id: int) -> None:
    """Have a computer accept its invitation."""
    replies.accept_game(game_id=game_id, computer_id=computer_id, now=clock.now())


LATEST_TURN = 100  # the lowest priority there is


def take_turn(*, game_id: str, computer_id: int, member_id: int | None) -> None:
    """Have a computer attend to a game with a member, whose games take turns with those of the others.

    Each waits for as many rounds as the member has replies waiting already.
    """
    ready = DBTaskResult.objects.ready().filter(queue_name=REPLIES)
    waiting = ready.filter(args_kwargs__args__2=member_id).count()
    attend.using(priority=-min(waiting, LATEST_TURN)).enqueue(game_id, computer_id, member_id)


@task(queue_name=REPLIES)
def attend(game_id: str, computer_id: int, member_id: int | None) -> None:  # noqa: ARG001 - see `take_turn`
    """Have a computer move or answer in its game."""
    with working(Work.REPLY):
        thought = replies.consider(game_id=game_id, computer_id=computer_id, now=clock.now())
        if thought is not None:
            replies.answer(thought=thought, now=clock.now())


@task(queue_name=STUDIES)
def look(study_id: int) -> None:
    """Analyse a position."""
    with working(Work.ANALYSIS):
        search.search_study(study_id=study_id)


@task(queue_name=STUDIES)
def review(review_id: int) -> None:
    """Review a game, or a part of it; the rest comes after what others wait for."""
    with working(Work.REVIEW):
        if steps.continue_review(review_id=review_id):
            review.enqueue(review_id)
