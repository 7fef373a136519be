"""The mistakes of reviewed games that everybody may see, as positions in which a better move was there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from crownhead import Position
from crownhead.server.analysis.choices import Progress
from crownhead.server.analysis.models import Review
from crownhead.server.analysis.reviews.selectors import access, judgements
from crownhead.server.analysis.reviews.selectors.judgement import Grade
from crownhead.server.core.problems import Problem
from crownhead.server.play import selectors

_COUNTED = {Grade.MISTAKE, Grade.BLUNDER}


@dataclass(frozen=True, slots=True)
class ReviewedGame:
    """A public game; ``positions`` are those before the mistakes, by ply."""

    game_id: str
    positions: dict[int, Position]


def public_mistakes(*, since: datetime, now: datetime) -> Iterator[ReviewedGame]:
    """The games of reviews that were finished since then, each by its closest review, in that order.

    Hidden games are left out, and those that are gone.
    """
    done = Review.objects.filter(progress=Progress.DONE, ended_at__gte=since)
    closest = dict(done.order_by("nodes").values_list("game_id", "pk"))  # the last of each game counts
    for review in done.filter(pk__in=closest.values()).order_by("ended_at", "pk").iterator():
        try:
            game = access(viewer=None, game_id=review.game_id, now=now)
        except Problem:
            continue
        replay = selectors.replay_game(game)
        wrong = [ply for ply, move in enumerate(judgements(review)) if move.grade in _COUNTED]
        yield ReviewedGame(game.public_id, {ply: replay.positions[ply] for ply in wrong})
