"""The graph of a reviewed game: White's expected result move by move, over phases and numbers of moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from django.utils.translation import gettext as _

import crownhead
from crownhead import Colour
from crownhead.engine import Score
from crownhead.server.analysis.reviews.selectors import judgement
from crownhead.server.pages.presenters.review.moves import Reviewed
from crownhead.server.pages.presenters.review.phases import phases
from crownhead.server.play.presenters.board.words import side

LEFT, TOP, WIDTH, HEIGHT = 56, 22, 420, 160  # of the plot, in the units of the drawing
RIGHT, BELOW = 12, 24  # what is left beside it and below
SPAN = f"{TOP}V{TOP + HEIGHT}"  # from its top to its bottom, as a path says it
_LINES = range(TOP, TOP + HEIGHT + 1, HEIGHT // 4)  # across it
_MAX_NUMBERS = 8  # below the plot
_LETTER = 9  # about as wide is one of the words above it


@dataclass(frozen=True, slots=True)
class Tick:
    """A word or a number at an axis."""

    x: float
    y: float
    text: str

    @property
    def is_late(self) -> bool:
        """Whether what stands to its right would leave the drawing."""
        return self.x + self.width > LEFT + WIDTH + RIGHT

    @property
    def width(self) -> float:
        """About what the text needs beside the line that it belongs to."""
        return 8 + _LETTER * len(self.text)

    @property
    def span(self) -> tuple[float, float]:
        """From where to where the text goes."""
        return (self.x - self.width, self.x) if self.is_late else (self.x, self.x + self.width)


@dataclass(frozen=True, slots=True)
class Point:
    """A mistake on the curve."""

    x: float
    y: float
    mark: str


@dataclass(frozen=True, slots=True)
class Graph:
    """What the template draws; ``cursor`` is where the board stands."""

    curve: str
    area: str
    points: tuple[Point, ...]
    results: tuple[Tick, ...]
    numbers: tuple[Tick, ...]
    phases: tuple[Tick, ...]
    cursor: float
    size: str = f"{LEFT + WIDTH + RIGHT} {TOP + HEIGHT + BELOW}"
    grid: str = "".join(f"M{LEFT} {y}H{LEFT + WIDTH}" for y in _LINES)
    span: str = SPAN
    bottom: int = TOP + HEIGHT


def graph_of(
    replay: crownhead.Game, known: Mapping[int, Score], moves: Sequence[Reviewed], *, ply: int
) -> Graph:
    """The graph of the plies that are known; its curve is empty where none is."""
    plies = max(len(replay.moves), 1)
    places = {
        number: (_across(number, plies), _down(_of_white(replay.positions[number].turn, score)))
        for number, score in known.items()
    }
    curve = "M" + "L".join(f"{x} {y}" for x, y in places.values()) if places else ""
    first, last = (places[min(places)][0], places[max(places)][0]) if places else (0.0, 0.0)
    return Graph(
        curve=curve,
        area=f"{curve}L{last} {TOP + HEIGHT}L{first} {TOP + HEIGHT}Z" if places else "",
        points=tuple(Point(*places[move.ply], move.mark) for move in moves if move.mark),
        results=_results(replay),
        numbers=_numbers(replay, plies),
        phases=_phases(replay, plies),
        cursor=_across(ply, plies),
    )


def _of_white(turn: Colour, score: Score) -> float:
    result = judgement.expected(score)
    return result if turn is Colour.WHITE else 1 - result


def _across(ply: int, plies: int) -> float:
    return round(LEFT + ply * WIDTH / plies, 1)


def _down(result: float) -> float:
    return round(TOP + HEIGHT * (1 - result), 1)


def _results(replay: crownhead.Game) -> tuple[Tick, ...]:
    white, black = (side(colour, replay.variant) for colour in (Colour.WHITE, Colour.BLACK))
    texts = {1.0: white, 0.5: _("equal"), 0.0: black}
    return tuple(Tick(LEFT - 8, _down(result), text) for result, text in texts.items())


def _numbers(replay: crownhead.Game, plies: int) -> tuple[Tick, ...]:
    """Numbers of moves, so far apart that they can be read."""
    late = replay.start.turn is not replay.variant.start.first
    moves = (plies + late + 1) // 2
    step = next(size for size in (1, 2, 5, 10, 20, 50, 100, 1000) if moves <= size * _MAX_NUMBERS)
    return tuple(
        Tick(_across(max(2 * number - 1 - late, 0), plies), TOP + HEIGHT + 20, str(number))
        for number in range(step, moves + 1, step)
    )


def _phases(replay: crownhead.Game, plies: int) -> tuple[Tick, ...]:
    """Where each phase begins that the game has; a short one has no room for its name."""
    each = phases(replay.positions)
    changes = [ply for ply, (before, after) in enumerate(pairwise(each), start=1) if after is not before]
    begins = [ply for ply in (0, *changes) if ply < plies]
    ticks: list[Tick] = []
    free = float(LEFT + WIDTH + RIGHT)  # up to here, from the left
    for ply in reversed(begins):
        tick = Tick(_across(ply, plies), TOP, each[ply].label)
        start, end = tick.span
        if end > free:
            tick = replace(tick, text="")
        else:
            free = start
        ticks.append(tick)
    return tuple(reversed(ticks))
