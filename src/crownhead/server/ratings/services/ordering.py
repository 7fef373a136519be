"""Rated games that were not counted in the order in which they ended, as those of a sample club."""

from __future__ import annotations

from crownhead.server.ratings.models import Change, PlayerRating
from crownhead.server.ratings.selectors import strength
from crownhead.server.ratings.services import counting


def count_in_order() -> None:
    """Count all rated games once more, each after those that had ended before it; nobody plays meanwhile."""
    by_game = {
        change.game_id: change for change in Change.objects.order_by("-id")
    }  # the first player's stays
    Change.objects.all().delete()
    PlayerRating.objects.all().delete()
    for change in sorted(by_game.values(), key=lambda change: (change.at, change.pk)):
        points = strength.half_points(change)
        counting.count_game(
            game_id=change.game_id,
            variant=change.variant,
            first_id=change.user_id,
            second_id=change.opponent_id,
            half_points=(points, 2 - points),
            now=change.at,
            live=change.live,
            on_time=change.on_time,
        )
