"""Game trees: games with comments, annotations, variations, mid-game setups and clocks."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from crownhead._kernel import Move
from crownhead.notation.pdn.replay import RECORD_DRAW_RULES, opened_by
from crownhead.rules.game import Game
from crownhead.rules.position import Position
from crownhead.rules.schema import Colour, Variant

_TIME = r"(\d{1,3}):(\d{1,2})(?::(\d{1,2}(?:\.\d{1,6})?))?"
_CLOCKS = re.compile(rf"\[%clock\s+[wW]{_TIME}\s+[bB]{_TIME}\s*\]")
_CLOCK = re.compile(rf"\[%(?P<kind>clk|mct|egt|emt)\s+{_TIME}\s*\]")


@dataclass(frozen=True, slots=True)
class Clock:
    """The times stated in a comment, in seconds.

    ``clk``: time left for the mover; ``mct``: the mover's clock; ``egt``: the mover's time used in the game;
    ``emt``: time used for this move; ``white`` and ``black``: both clocks.
    """

    clk: float | None = None
    mct: float | None = None
    egt: float | None = None
    emt: float | None = None
    white: float | None = None
    black: float | None = None


@dataclass(slots=True)
class Node:
    """A move (or a mid-game setup, if ``move`` is None) with its annotations.

    ``position`` is the position after the move. ``variations`` are alternatives to the move.
    """

    position: Position
    move: Move | None = None
    strength: str = ""  # ``!``, ``?!`` …
    nags: list[int] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)  # after the move
    before: list[str] = field(default_factory=list)  # before the move, if it starts a variation
    variations: list[list[Node]] = field(default_factory=list)

    @property
    def clock(self) -> Clock | None:
        """The times stated in the comments, if any."""
        stated = {}
        for comment in self.comments:
            for found in _CLOCK.finditer(comment):
                stated[found["kind"]] = _seconds(*found.groups()[1:])
            for found in _CLOCKS.finditer(comment):
                times = found.groups()
                stated |= {"white": _seconds(*times[:3]), "black": _seconds(*times[3:])}
        return Clock(**stated) if stated else None


@dataclass(slots=True)
class GameTree:
    """A game record; ``comments`` come before the first move, ``line`` is the main line.

    ``tags`` always contain ``Result``, which is ``*`` if unknown.
    """

    variant: Variant
    start: Position
    tags: dict[str, str] = field(default_factory=dict)
    comments: list[str] = field(default_factory=list)
    line: list[Node] = field(default_factory=list)

    @property
    def result(self) -> str:
        """The recorded result."""
        return self.tags.get("Result", "*")

    @property
    def turn(self) -> Colour:
        """The side that moves first."""
        return self.start.turn

    def game(self) -> Game:
        """Return the main line, up to the first mid-game setup, as a game without a declared outcome."""
        moves: list[Move] = []
        for node in self.line:
            if node.move is None:
                break
            moves.append(node.move)
        given = opened_by(self.variant, self.tags)
        game = Game(self.variant, start=self.start, draw_rules=RECORD_DRAW_RULES, opening=moves[:given])
        game.tags.update(self.tags)
        for move in moves[given:]:
            game.push(move)
        return game


def _seconds(hours: str, minutes: str, seconds: str | None) -> float:
    return int(hours) * 3600 + int(minutes) * 60 + float(seconds or 0)
