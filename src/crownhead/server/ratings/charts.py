"""The two pictures of ratings as numbers that a template draws: how they are spread, how one has gone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from crownhead.server.ratings.leaderboards import Column

WIDTH, HEIGHT = 640, 220
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 12, 28
MOST_POINTS = 300  # of a line; more are thinned out
_LINES = 4  # horizontal ones, at most about so many


@dataclass(frozen=True, slots=True)
class Bar:
    """A column: where it is drawn, and what it says."""

    x: float
    y: float
    width: float
    height: float
    column: Column
    mine: bool


@dataclass(frozen=True, slots=True)
class Mark:
    """A text beside the picture, and the line that it belongs to."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Spread:
    """The picture of a distribution."""

    bars: tuple[Bar, ...]
    across: tuple[Mark, ...]
    up: tuple[Mark, ...]
    width: int = WIDTH
    height: int = HEIGHT
    floor: int = HEIGHT - BOTTOM
    left: int = LEFT
    right: int = WIDTH - RIGHT
    label_y: int = HEIGHT - 8


@dataclass(frozen=True, slots=True)
class Moment:
    """What somebody's rating was from a moment on."""

    at: datetime
    value: float
    deviation: float


@dataclass(frozen=True, slots=True)
class Course:
    """The picture of a rating over time: its line, and the band in which it surely lies."""

    line: str
    band: str
    last_x: float
    last_y: float
    across: tuple[tuple[float, datetime, str], ...]
    up: tuple[Mark, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    label_y: int = HEIGHT - 8


def spread(columns: Sequence[Column], *, mine: int | None = None) -> Spread | None:
    """The picture of a distribution; None of an empty one. ``mine``: points whose column is marked."""
    if not columns:
        return None
    most = max(column.players for column in columns)
    step = _step(most, _LINES)
    top = -(-most // step) * step
    wide = (WIDTH - LEFT - RIGHT) / max(len(columns), 8)
    bars = []
    for at, column in enumerate(columns):
        y = _y(column.players, 0, top)
        bars.append(
            Bar(
                x=round(LEFT + at * wide + 1, 1),
                y=round(y, 1),
                width=round(wide - 2, 1),
                height=round(HEIGHT - BOTTOM - y, 1),
                column=column,
                mine=mine is not None and column.least <= mine <= column.most,
            )
        )
    every = max(-(-len(columns) // 8), 1)
    across = [
        Mark(round(LEFT + at * wide, 1), str(column.least))
        for at, column in enumerate(columns)
        if at % every == 0
    ]
    up = [Mark(round(_y(count, 0, top), 1), str(count)) for count in range(0, top + 1, step)]
    return Spread(tuple(bars), tuple(across), tuple(up))


def course(moments: Sequence[Moment]) -> Course | None:
    """The picture of a rating over time, the earliest moment first; None where there is none."""
    if not moments:
        return None
    shown = _thinned(moments)
    low = min(moment.value - moment.deviation for moment in shown)
    high = max(moment.value + moment.deviation for moment in shown)
    step = _step(int(high - low) + 1, _LINES)
    floor, top = int(low // step) * step, int(-(-high // step)) * step
    first, last = shown[0].at, shown[-1].at
    places = [(_x(moment.at, first, last), moment) for moment in shown]
    upper = [_point(x, moment.value + moment.deviation, floor, top) for x, moment in places]
    lower = [_point(x, moment.value - moment.deviation, floor, top) for x, moment in reversed(places)]
    return Course(
        line=" ".join(_point(x, moment.value, floor, top) for x, moment in places),
        band=" ".join([*upper, *lower]),
        last_x=round(places[-1][0], 1),
        last_y=round(_y(shown[-1].value, floor, top), 1),
        across=_dates(first, last),
        up=tuple(Mark(round(_y(value, floor, top), 1), str(value)) for value in range(floor, top + 1, step)),
    )


def _thinned(moments: Sequence[Moment]) -> Sequence[Moment]:
    """At most so many, evenly taken, the first and the last among them."""
    if len(moments) <= MOST_POINTS:
        return moments
    gap = (len(moments) - 1) / (MOST_POINTS - 1)
    return [moments[round(number * gap)] for number in range(MOST_POINTS)]


def _dates(first: datetime, last: datetime) -> tuple[tuple[float, datetime, str], ...]:
    if last - first < timedelta(days=1):
        return ((_x(last, first, last), last, "end"),)
    return ((LEFT, first, "start"), (WIDTH - RIGHT, last, "end"))


def _x(at: datetime, first: datetime, last: datetime) -> float:
    part = (at - first) / (last - first) if last > first else 1.0
    return LEFT + part * (WIDTH - LEFT - RIGHT)


def _y(value: float, floor: float, top: float) -> float:
    return TOP + (top - value) / (top - floor) * (HEIGHT - TOP - BOTTOM)


def _point(x: float, value: float, floor: int, top: int) -> str:
    return f"{x:.1f},{_y(value, floor, top):.1f}"


def _step(span: int, lines: int) -> int:
    """A round number of which about so many lines make up the span."""
    step = 1
    while True:
        for factor in (1, 2, 5):
            if step * factor * lines >= span:
                return step * factor
        step *= 10
