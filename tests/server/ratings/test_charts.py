"""Rating graphs: the dates below them, and what is read of a long history."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.ratings.models import Change
from crownhead.server.ratings.presenters import history
from crownhead.server.ratings.presenters.charts import Moment, rating_curve

BEGIN = datetime(2026, 1, 20, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    ("days", "dates"),
    [
        (0.2, ["20 Jan 2026"]),
        (3, ["21 Jan", "22 Jan", "23 Jan"]),
        (30, ["27 Jan", "3 Feb", "10 Feb", "17 Feb"]),
        (91, ["3 Feb", "17 Feb", "3 Mar", "17 Mar", "31 Mar"]),
        (365, ["Mar 2026", "May 2026", "Jul 2026", "Sep 2026", "Nov 2026"]),
        (1500, ["Jan 2027", "Jan 2028", "Jan 2029"]),
    ],
)
def test_a_graph_has_a_few_round_dates(days: float, dates: list[str]) -> None:
    chart = rating_curve([Moment(BEGIN, 1500, 90), Moment(BEGIN + timedelta(days=days), 1520, 80)])

    assert chart is not None
    below = [tick for tick in chart.ticks if tick.y > 180]
    assert [tick.text for tick in below] == dates


@pytest.mark.django_db
def test_a_long_history_is_read_in_steps_up_to_the_last_game(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "MAX_READ", 4)
    before = {"value_before": 1500, "deviation_before": 60, "volatility_before": 0.06}
    Change.objects.bulk_create(
        Change(
            user=alice,
            opponent=bob,
            variant="american",
            game_id=f"g{number}",
            score="won",
            at=BEGIN + timedelta(days=number),
            value=1500 + number,
            deviation=60,
            volatility=0.06,
            opponent_value=1500,
            opponent_deviation=60,
            **before,
        )
        for number in range(10)
    )

    shown = history.moments(alice.pk, "american")
    recent = history.moments(alice.pk, "american", since=BEGIN + timedelta(days=6))

    assert [moment.value for moment in shown] == [1500, 1503, 1506, 1509]
    assert [moment.value for moment in recent] == [1506, 1507, 1508, 1509]
