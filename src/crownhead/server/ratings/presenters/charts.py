"""Charts of ratings as numbers that a template draws: a variant's distribution, a player's history."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from operator import attrgetter

from django.utils.formats import date_format

from crownhead.server.ratings.selectors.leaderboards import Column

WIDTH, HEIGHT = 640, 200
LEFT, RIGHT, TOP, BOTTOM = 44, 628, 12, 172
MAX_POINTS = 300  # of a line; more are thinned out
_LINES = 4  # horizontal ones, about so many
_MAX_DATES = 5  # below the time, so that they keep apart on a phone
_HALF_A_DATE = 50  # units, written large


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
class Tick:
    """A word at an axis, and where: ``anchor`` is the part of it that stands there."""

    x: float
    y: float
    text: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Distribution:
    """The picture of a distribution."""

    bars: tuple[Bar, ...]
    grid: str
    ticks: tuple[Tick, ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """What somebody's rating was from a moment on."""

    at: datetime
    value: float
    deviation: float


@dataclass(frozen=True, slots=True)
class RatingCurve:
    """The picture of a rating over time: its line, its end, and the band in which it surely lies."""

    curve: str
    band: str
    end: tuple[float, float]
    grid: str
    ticks: tuple[Tick, ...]


def distribution_chart(columns: Sequence[Column], *, mine: int | None = None) -> Distribution | None:
    """The picture of a distribution; None of an empty one. ``mine``: points whose column is marked."""
    if not columns:
        return None
    scale = _Scale.over(0, max(column.players for column in columns))
    wide = (RIGHT - LEFT) / max(len(columns), 8)
    bars = []
    for at, column in enumerate(columns):
        y = scale.y(column.players)
        marked = mine is not None and column.least <= mine <= column.most
        bars.append(
            Bar(_cut(LEFT + at * wide + 1), _cut(y), _cut(wide - 2), _cut(BOTTOM - y), column, marked)
        )
    every = max(-(-len(columns) // 8), 1)
    below = [
        Tick(_cut(LEFT + (at + 0.5) * wide), HEIGHT - 6, str(column.least), "middle")
        for at, column in enumerate(columns)
        if at % every == 0
    ]
    return Distribution(tuple(bars), scale.grid, (*scale.ticks, *below))


def rating_curve(moments: Sequence[Moment]) -> RatingCurve | None:
    """The picture of a rating over time, the earliest moment first; None where there is none."""
    if not moments:
        return None
    points = sorted(_thinned(moments), key=attrgetter("at"))  # games may be counted out of order
    upper = [moment.value + moment.deviation for moment in points]
    lower = [moment.value - moment.deviation for moment in points]
    scale = _Scale.over(min(lower), max(upper))
    first, last = points[0].at, points[-1].at
    dates = _dates(first, last)
    across = [_x(moment.at, first, last) for moment in points]
    there = [_point(x, scale.y(value)) for x, value in zip(across, upper, strict=True)]
    back = [_point(x, scale.y(value)) for x, value in zip(across, lower, strict=True)]
    line = [_point(x, scale.y(moment.value)) for x, moment in zip(across, points, strict=True)]
    return RatingCurve(
        curve="M" + "L".join(line),
        band="M" + "L".join([*there, *reversed(back)]) + "Z",
        end=(_cut(across[-1]), _cut(scale.y(points[-1].value))),
        grid=scale.grid + "".join(f"M{tick.x} {BOTTOM}v5" for tick in dates),
        ticks=(*scale.ticks, *dates),
    )


@dataclass(frozen=True, slots=True)
class _Scale:
    """From values to heights, with lines at round numbers."""

    floor: int
    top: int
    step: int

    @classmethod
    def over(cls, low: float, high: float) -> _Scale:
        """The scale that has room for all between."""
        step = _step(high - low)
        floor, top = int(low // step) * step, int(-(-high // step)) * step
        return cls(floor, max(top, floor + step), step)

    def y(self, value: float) -> float:
        """How high a value is drawn."""
        return TOP + (self.top - value) / (self.top - self.floor) * (BOTTOM - TOP)

    @property
    def grid(self) -> str:
        """The lines, as a path."""
        return "".join(f"M{LEFT} {_cut(self.y(value))}H{RIGHT}" for value in self._values)

    @property
    def ticks(self) -> tuple[Tick, ...]:
        """The numbers beside the lines."""
        return tuple(Tick(LEFT - 6, _cut(self.y(value) + 4), str(value), "end") for value in self._values)

    @property
    def _values(self) -> range:
        return range(self.floor, self.top + 1, self.step)


def _thinned(moments: Sequence[Moment]) -> Sequence[Moment]:
    """At most so many, evenly taken, the first and the last among them."""
    if len(moments) <= MAX_POINTS:
        return moments
    gap = (len(moments) - 1) / (MAX_POINTS - 1)
    return [moments[round(number * gap)] for number in range(MAX_POINTS)]


def _dates(first: datetime, last: datetime) -> tuple[Tick, ...]:
    """Round dates below the axis, or where it begins and ends if there are not two of them."""
    for days, form in _round_dates(first, last):
        places = [(_x(day, first, last), day) for day in days]
        shown = [(x, day) for x, day in places if LEFT + _HALF_A_DATE <= x <= RIGHT - _HALF_A_DATE]
        if len(shown) < 2:
            break
        if len(shown) <= _MAX_DATES:
            return tuple(Tick(_cut(x), HEIGHT - 6, date_format(day, form), "middle") for x, day in shown)
    return _ends(first, last)


def _round_dates(first: datetime, last: datetime) -> Iterator[tuple[list[datetime], str]]:
    """The dates between two moments, ever farther apart, and how each of them is written."""
    midnight = first.replace(hour=0, minute=0, second=0, microsecond=0)
    for each in (1, 2, 7, 14):
        yield [midnight + timedelta(days=day) for day in range(each, (last - midnight).days + 1, each)], "j M"
    begins, ends = (at.year * 12 + at.month for at in (first, last))
    for each in (1, 2, 3, 6, 12, 24, 60, 120):
        months = range(begins - (begins - 1) % each + each, ends + 1, each)
        yield [midnight.replace((month - 1) // 12, (month - 1) % 12 + 1, 1) for month in months], "M Y"


def _ends(first: datetime, last: datetime) -> tuple[Tick, ...]:
    ends = Tick(RIGHT, HEIGHT - 6, date_format(last, "SHORT_DATE_FORMAT"), "end")
    if last - first < timedelta(days=1):
        return (ends,)
    return Tick(LEFT, HEIGHT - 6, date_format(first, "SHORT_DATE_FORMAT"), "start"), ends


def _x(at: datetime, first: datetime, last: datetime) -> float:
    part = (at - first) / (last - first) if last > first else 1.0
    return LEFT + part * (RIGHT - LEFT)


def _point(x: float, y: float) -> str:
    return f"{x:.1f} {y:.1f}"


def _cut(value: float) -> float:
    return round(value, 1)


def _step(span: float) -> int:
    """A round number of which a few make up the span."""
    step = 1
    while True:
        for factor in (1, 2, 5):
            if step * factor * _LINES >= span:
                return step * factor
        step *= 10
