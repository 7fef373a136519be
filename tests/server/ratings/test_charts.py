"""Dates below a rating graph."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

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
