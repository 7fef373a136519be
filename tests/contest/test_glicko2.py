"""Ratings follow Glickman's published example, and behave as people expect of ratings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crownhead.contest.errors import ContestError
from crownhead.contest.glicko2 import (
    MAX_DEVIATION,
    MIN_DEVIATION,
    PERIOD_DAYS,
    Rating,
    Result,
    after_game,
    after_inactivity,
    after_period,
    expected,
)

ratings = st.builds(
    Rating,
    st.floats(400, 3000),
    st.floats(MIN_DEVIATION, MAX_DEVIATION),
    st.floats(0.03, 0.12),
)
points = st.sampled_from([0, 1, 2])


def test_the_published_example_comes_out() -> None:
    # Glickman, "Example of the Glicko-2 system": a win, a loss and a loss in one period, tau 0.5.
    games = [Result(Rating(1400, 30), 2), Result(Rating(1550, 100), 0), Result(Rating(1700, 300), 0)]
    after = after_period(Rating(1500, 200, 0.06), games, tau=0.5)
    assert after.value == pytest.approx(1464.05, abs=0.005)
    assert after.deviation == pytest.approx(151.52, abs=0.005)
    assert 0.05999 <= after.volatility < 0.06  # printed with four digits, cut off


def test_a_period_without_a_game_only_adds_doubt() -> None:
    # Step 6 of the example's text: the deviation grows by the volatility, nothing else changes.
    after = after_period(Rating(1500, 200, 0.06), [])
    assert (after.value, after.volatility) == (1500, 0.06)
    assert after.deviation == pytest.approx(200.2714, abs=0.0001)


def test_a_well_known_rating_is_provisional_after_a_year_without_a_game() -> None:
    sure = Rating(1800, 60)
    assert not sure.provisional
    assert not after_inactivity(sure, 360 / PERIOD_DAYS).provisional
    assert after_inactivity(sure, 366 / PERIOD_DAYS).provisional


def test_nobody_grows_less_known_than_somebody_new() -> None:
    assert after_inactivity(Rating(1800, 300), 10_000).deviation == MAX_DEVIATION


@given(ratings, ratings)
def test_two_players_expect_all_points_between_them(ours: Rating, theirs: Rating) -> None:
    assert expected(ours, theirs) + expected(theirs, ours) == pytest.approx(1)
    assert (expected(ours, theirs) > 0.5) == (ours.value > theirs.value) or ours.value == pytest.approx(
        theirs.value
    )


@given(ratings, ratings)
def test_a_win_raises_and_a_loss_lowers(ours: Rating, theirs: Rating) -> None:
    assert after_game(ours, theirs, 2).value > ours.value > after_game(ours, theirs, 0).value


@given(ratings, ratings, points, st.floats(0, 500), st.floats(0, 500))
def test_a_game_leaves_a_rating_that_makes_sense(
    ours: Rating, theirs: Rating, half_points: int, periods: float, opponent_periods: float
) -> None:
    after = after_game(ours, theirs, half_points, periods=periods, opponent_periods=opponent_periods)
    assert MIN_DEVIATION <= after.deviation <= MAX_DEVIATION
    assert 0.01 < after.volatility < 0.3
    assert abs(after.value - ours.value) < 800


@given(ratings, ratings, points)
def test_a_game_makes_a_rating_surer_unless_time_has_passed(
    ours: Rating, theirs: Rating, half_points: int
) -> None:
    assert after_game(ours, theirs, half_points).deviation <= ours.deviation


@given(ratings, ratings, points)
def test_time_since_the_last_game_makes_a_game_tell_more(
    ours: Rating, theirs: Rating, half_points: int
) -> None:
    soon = after_game(ours, theirs, half_points, periods=0)
    late = after_game(ours, theirs, half_points, periods=100)
    assert abs(late.value - ours.value) >= abs(soon.value - ours.value)


def test_many_games_find_the_true_strength() -> None:
    player, true = Rating(), Rating(1900, 50)
    owed = 0.0
    for turn in range(300):
        opponent = Rating(1500 + turn % 7 * 100, 60)
        owed += 2 * expected(true, opponent)
        won = min(2, int(owed))
        owed -= won
        player = after_game(player, opponent, won, periods=0.2, opponent_periods=0.2)
    assert player.value == pytest.approx(1900, abs=60)
    assert not player.provisional


@pytest.mark.parametrize("wrong", [-1, 3, 7])
def test_other_points_than_those_of_a_game_are_refused(wrong: int) -> None:
    with pytest.raises(ContestError, match="expected 0, 1 or 2 half points"):
        after_game(Rating(), Rating(), wrong)


@pytest.mark.parametrize(
    "wrong", [(1500, 0, 0.06), (1500, -5, 0.06), (float("nan"), 60, 0.06), (1500, 60, 0)]
)
def test_numbers_that_no_rating_has_are_refused(wrong: tuple[float, float, float]) -> None:
    with pytest.raises(ContestError, match="expected a rating"):
        Rating(*wrong)


def test_time_does_not_run_backwards() -> None:
    with pytest.raises(ContestError, match="no negative number of periods"):
        after_inactivity(Rating(), -1)
