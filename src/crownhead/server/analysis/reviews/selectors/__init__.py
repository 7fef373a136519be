"""Questions about reviews of games."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from crownhead.engine import Score
from crownhead.server.analysis.choices import RUNNING, Depth, Progress
from crownhead.server.analysis.models import Review
from crownhead.server.analysis.reviews.selectors.judgement import JudgedMove, judge
from crownhead.server.core.problems import Conflict, NotFound
from crownhead.server.play import selectors
from crownhead.server.play.choices import Status
from crownhead.server.play.selectors import Game, Viewer

_MANY = 3  # reviews being made at once: the club is busy


class NotOver(Conflict):
    """The game still goes on: the engine says nothing of it."""

    slug, title = "not-over", gettext_lazy("The game is not over")


def access(*, viewer: Viewer, game_id: str, now: datetime) -> Game:
    """The game, if the viewer may see it and it is over; raises ``NotFound`` or ``NotOver``."""
    game = selectors.access_game(viewer=viewer, public_id=game_id, now=now)
    if game.status != Status.FINISHED:
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


def judgements(review: Review | None) -> list[JudgedMove]:
    """The moves that have been looked at, judged."""
    plies = review.plies if review else []
    scores = [Score(ply["score"]) for ply in plies]
    return judge(scores, [ply["best"] for ply in plies])
