"""Reviews of whole games: asked for here, made by the worker a few seconds at a time, once for all."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.analysis import tasks
from crownhead.server.analysis.access import expect_allowed
from crownhead.server.analysis.choices import RUNNING, Depth, Progress
from crownhead.server.analysis.models import Review
from crownhead.server.analysis.reviews.selectors import access
from crownhead.server.core.problems import Unprocessable
from crownhead.server.play import selectors

STUCK_AFTER = timedelta(minutes=2)


def request_review(*, user: User, game_id: str, depth: Depth, now: datetime) -> Review:
    """Have a finished game reviewed; one that was, or is being, reviewed so closely is that one.

    Raises ``NotFound``, ``NotOver``, ``Unprocessable`` for a game without a move, or ``Forbidden`` for a
    member who is blocked from the engine.
    """
    expect_allowed(user)
    game = access(viewer=user, game_id=game_id, now=now)
    plies = len(selectors.replay_game(game).moves)
    if not plies:
        raise Unprocessable(_("This game has no moves to review."), field="game")
    with transaction.atomic():
        review, made = Review.objects.get_or_create(
            game_id=game.public_id,
            nodes=depth.value,
            defaults={"asked_by": user, "total": plies + 1, "created_at": now, "touched_at": now},
        )
        again = Review.objects.filter(pk=review.pk, progress=Progress.FAILED)
        if made or again.update(progress=Progress.WAITING, asked_by=user, touched_at=now):
            tasks.review.enqueue(review.pk)
    review.refresh_from_db()
    return review


def restart(*, review: Review, now: datetime) -> None:
    """Look at all positions of a game again."""
    with transaction.atomic():
        Review.objects.filter(pk=review.pk).update(
            progress=Progress.WAITING, plies=[], ended_at=None, touched_at=now
        )
        tasks.review.enqueue(review.pk)


def resume_stuck(*, now: datetime) -> None:
    """Go on with those that were left lying."""
    lying = Review.objects.filter(progress__in=RUNNING, touched_at__lte=now - STUCK_AFTER)
    for key in lying.values_list("pk", flat=True)[:100]:
        tasks.review.enqueue(key)
