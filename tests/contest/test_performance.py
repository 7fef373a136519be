"""The rating that fits a player's results."""

from __future__ import annotations

import pytest

from crownhead.contest.errors import ContestError
from crownhead.contest.performance import performance


def test_half_of_the_points_is_as_good_as_the_opponents() -> None:
    assert performance(opponents=1640.4, half_points=10, games=10) == 1640


@pytest.mark.parametrize(("half_points", "due"), [(15, 1691), (5, 1309), (20, 2300), (0, 700)])
def test_points_of_ten_games_against_1500(half_points: int, due: int) -> None:
    """The table of FIDE has 193 points for three quarters, by the normal curve; Elo's logistic has 191."""
    assert performance(opponents=1500, half_points=half_points, games=10) == due


def test_nearly_everything_won_is_at_most_800_points_more() -> None:
    assert performance(opponents=1500, half_points=1999, games=1000) == 2300


@pytest.mark.parametrize(("half_points", "games"), [(0, 0), (-1, 3), (7, 3)])
def test_nonsense_is_refused(half_points: int, games: int) -> None:
    with pytest.raises(ContestError, match="half points"):
        performance(opponents=1500, half_points=half_points, games=games)
