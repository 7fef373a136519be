"""The performance of a player: the rating that fits their results, by the logistic curve of Elo.

FIDE Handbook B.02, 1.4.8 and 8.1.1, has the same as a table: the mean rating of the opponents and a
difference that follows from the share of points, at most 800 either way.
"""

from __future__ import annotations

from math import log10

from crownhead.contest.errors import ContestError

MAX_DIFFERENCE = 800.0  # points; also for all games won or lost
_SLOPE = 400.0  # points of rating for odds of ten to one


def performance(*, opponents: float, half_points: int, games: int) -> int:
    """The rating at which ``half_points`` of ``games`` are due against opponents of that mean rating.

    Raises ``ContestError`` for no games, or more half points than they have.
    """
    if games < 1 or not 0 <= half_points <= 2 * games:
        raise ContestError(f"expected 0 to {2 * games} half points of at least a game, got {half_points}")
    if half_points in {0, 2 * games}:
        difference = MAX_DIFFERENCE if half_points else -MAX_DIFFERENCE
    else:
        difference = _SLOPE * log10(half_points / (2 * games - half_points))
    return round(opponents + max(min(difference, MAX_DIFFERENCE), -MAX_DIFFERENCE))
