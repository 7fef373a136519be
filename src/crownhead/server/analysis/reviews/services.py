"""Reviews of whole games: asked for here, made by the worker a few seconds at a time, once for all."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import IntEnum

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from crownhead.engine import Score
from crownhead.server.accounts.selectors import User
from crownhead.server.analysis import tasks
from crownhead.server.analysis.choices import RUNNING, Progress
from crownhead.server.analysis.models import Review
from crownhead.server.analysis.reviews.judgement import JudgedMove, judge
from crownhead.server.analysis.services.allowances import expect_allowed
from crownhead.server.core.problems import Conflict, NotFound, Unprocessable
from crownhead.server.play import selectors
from crownhead.server.play.selectors import Game, Viewer

STUCK_AFTER = timedelta(minutes=2)
_MANY = 3  # reviews being made at once: the club is busy


class Depth(IntEnum):
    """How closely: positions looked at for each move of the game."""

    QUICK = 100_000
    DEEP = 1_000_000


class NotOver(Conflict):
    """The game still goes on: the engine says nothing of it."""

    slug, title = "not-over", gettext_lazy("The game is not over")


def request_review(*, user: User, game_id: str, depth: Depth, now: datetime) -> Review:
    """Have a finished game reviewed; one that was, or is being, reviewed so closely is that one.

    Raises ``NotFound``, ``NotOver``, ``Unprocessable`` for a game without a move, or ``Forbidden`` for a
    member who is blocked from the engine.
    """
    expect_allowed(user)
    game = access(viewer=user, game_id=game_id, now=now)
    plies = len(selectors.replay_game(game).moves)
    if not plies:
        raise Unprocessable("game: " + _("This game has no moves to review."))
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


def access(*, viewer: Viewer, game_id: str, now: datetime) -> Game:
    """The game, if the viewer may see it and it is over; raises ``NotFound`` or ``NotOver``."""
    game = selectors.access_game(viewer=viewer, public_id=game_id, now=now)
    if game.status != "finished":
        raise NotOver(_("Only finished games can be reviewed."))
    return game


def find(*, game_id: str, depth: Depth | None = None) -> Review:
    """The review of a game, the closest if none is named; raises ``NotFound``."""
    rows = Review.objects.filter(game_id=game_id).order_by("-nodes")
    if depth is not None:
        rows = rows.filter(nodes=depth.value)
    finished = rows.filter(progress=Progress.DONE).first()
    review = (
        finished if depth is None and finished and not rows.filter(progress__in=RUNNING) else rows.first()
    )
    if review is None:
        raise NotFound(_("This game has not been reviewed."))
    return review


def is_busy() -> bool:
    """Whether so many reviews are being made that another one has to wait."""
    return Review.objects.filter(progress__in=RUNNING)[:_MANY].count() == _MANY


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


def judgements(review: Review | None) -> list[JudgedMove]:
    """The moves that have been looked at, judged."""
    plies = review.plies if review else []
    scores = [Score(ply["score"]) for ply in plies]
    return judge(scores, [ply["best"] for ply in plies])
