"""Conditional moves as their player's pages show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import crownhead
from crownhead.server.play.games.selectors.replay import seat_of
from crownhead.server.play.models import Game, Seat
from crownhead.server.play.plans import selectors
from crownhead.server.play.plans.selectors import LONGEST_LINE


@dataclass(frozen=True, slots=True)
class Step:
    """A move of a line; ``mine``: the planner's own."""

    text: str
    mine: bool


@dataclass(frozen=True, slots=True)
class LinePresenter:
    """A line of a plan: its moves, and all of them as a form carries them."""

    steps: tuple[Step, ...]
    text: str


@dataclass(frozen=True, slots=True)
class PlanPresenter:
    """A player's plan; ``waits``: it continues once they have answered the opponent's offer.

    ``longest``: the moves that a line has at most.
    """

    version: int
    lines: tuple[LinePresenter, ...]
    waits: bool
    longest: int = LONGEST_LINE

    @property
    def text(self) -> str:
        """All lines as the plain form has them."""
        return "\n".join(line.text for line in self.lines)


def present_plan(game: Game, seat: Seat, replay: crownhead.Game) -> PlanPresenter:
    """The plan of the player on a seat; only they may see it."""
    info = selectors.plan_info(game, seat)
    own = seat_of(replay.variant, replay.positions[info.ply].turn) is seat
    lines = tuple(present_line(line, own=own) for line in info.lines)
    return PlanPresenter(info.version, lines, waits=bool(lines) and info.ply != len(replay.moves))


def present_line(line: Sequence[str], *, own: bool) -> LinePresenter:
    """A line as a page shows it; ``own``: it begins with a move of the planner's."""
    steps = tuple(Step(text, mine=(at % 2 == 0) == own) for at, text in enumerate(line))
    return LinePresenter(steps, " ".join(line))
