"""What somebody who offers a game chooses, and what became of a game, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from crownhead.server.play.models import DrawRulesKey


class ColourChoice(StrEnum):
    """The side the creator of a game wants."""

    FIRST = "first"
    SECOND = "second"
    RANDOM = "random"


class Result(StrEnum):
    """What staff may declare."""

    FIRST_WINS = "first"
    SECOND_WINS = "second"
    DRAW = "draw"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOptions:
    """The terms of a new game. ``first_move`` is the creator's opening move, if he has the first side."""

    variant: str
    colour: str
    days_per_move: int
    draw_rules: str = DrawRulesKey.OFFICIAL
    first_move: str | None = None
