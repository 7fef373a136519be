"""Making a review: each position of a finished game looked at in turn, some seconds a task.

What is kept of a position is what ``reports`` keeps of its best line, and whether that begins with the move
that was made. The engine knows how the game came there, and its draw rules. The score of the last position
is that of the result, where the laws gave it.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import crownhead
from crownhead.server.analysis.choices import RUNNING, Progress
from crownhead.server.analysis.engine import reports
from crownhead.server.analysis.engine.measures import Work
from crownhead.server.analysis.engine.pool import engine_for, think
from crownhead.server.analysis.engine.search import publish
from crownhead.server.analysis.engine.selectors import first_plies
from crownhead.server.analysis.models import Review
from crownhead.server.analysis.reviews.selectors.endings import end_of, is_counted_out, result_of
from crownhead.server.core import clock
from crownhead.server.core.problems import Problem
from crownhead.server.play import selectors

SLICE = timedelta(seconds=4)  # of work, after which others have their turn
_PUBLISH_EVERY = timedelta(seconds=0.5)


def continue_review(*, review_id: int) -> bool:
    """Look at some more positions; whether there are others left. Two workers at once do no harm."""
    review = Review.objects.filter(pk=review_id, progress__in=RUNNING).first()
    if review is None:
        return False
    try:
        game = selectors.access_game(viewer=review.asked_by, public_id=review.game_id, now=clock.now())
        return _next_slice(review, selectors.replay_game(game))
    except Problem:
        _store(review, progress=Progress.FAILED)  # gone, or hidden since
        return False
    except Exception:
        _store(review, progress=Progress.FAILED)
        raise


def _next_slice(review: Review, replay: crownhead.Game) -> bool:
    plies, begun = list(review.plies), clock.now()
    published_at = begun
    # What other searches left behind would change the judgement with the work that this process did before.
    engine_for(replay.variant.key).forget()
    while len(plies) < len(replay.positions):
        plies.append(_search_position(replay, len(plies), review.nodes))
        now = clock.now()
        if now - begun > SLICE:
            break
        if now - published_at > _PUBLISH_EVERY:
            published_at = now
            if not _store(review, plies=plies, progress=Progress.THINKING):
                return False  # another worker is at it
    if len(plies) < len(replay.positions):
        return _store(review, plies=plies, progress=Progress.THINKING)
    _store(review, plies=plies, progress=Progress.DONE, ended_at=clock.now())
    return False


def _search_position(replay: crownhead.Game, ply: int, nodes: int) -> dict[str, Any]:
    turn, outcome = replay.positions[ply].turn, end_of(replay, ply)
    if outcome is not None:
        return {"score": result_of(outcome, turn), "moves": [], "path": [], "proven": True, "best": False}
    engine, until_there = engine_for(replay.variant.key), first_plies(replay, ply)
    report = think(lambda: engine.analyse(until_there, nodes=nodes, to_the_letter=True), work=Work.REVIEW)
    line = reports.as_dict(report)["lines"][0]
    made = replay.moves[ply] if ply < len(replay.moves) else None
    best = made is not None and (report.move == made or is_counted_out(end_of(replay, ply + 1)))
    return {name: line[name] for name in ("score", "moves", "path", "proven")} | {"best": best}


def _store(review: Review, **changes: Any) -> bool:
    """Note how far it is, if nobody else did meanwhile, and tell those who follow."""
    mine = Review.objects.filter(pk=review.pk, touched_at=review.touched_at)
    changes["touched_at"] = max(clock.now(), review.touched_at)
    if not mine.update(**changes):
        return False
    for name, value in changes.items():
        setattr(review, name, value)
    publish(review.public_id, {"id": review.public_id, "status": review.progress, "done": len(review.plies)})
    return True
