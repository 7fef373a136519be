"""What somebody who offers a game chooses, and what staff may declare, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from crownhead import CrownheadError, Variant
from crownhead.rules import variant_of
from crownhead.server.core.problems import Unprocessable
from crownhead.server.play.models import MAX_DAYS, MIN_DAYS, DrawRulesKey


class ColourChoice(StrEnum):
    """The side the creator of a game wants."""

    FIRST = "first"
    SECOND = "second"
    RANDOM = "random"


class Result(StrEnum):
    """What staff may declare: the seat that wins, or a draw."""

    FIRST = "first"
    SECOND = "second"
    DRAW = "draw"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOptions:
    """The terms of a new game. ``first_move`` is the creator's own, if he has the first side."""

    variant: str
    colour: str
    days_per_move: int
    draw_rules: str = DrawRulesKey.OFFICIAL.value
    first_move: str | None = None

    def checked(self) -> Variant:
        """The row of the variant, if the options make sense; raises ``Unprocessable``."""
        try:
            variant = variant_of(self.variant)
        except CrownheadError as error:
            raise Unprocessable(str(error)) from error
        _expect_one_of("colour", self.colour, [choice.value for choice in ColourChoice])
        _expect_one_of("draw_rules", self.draw_rules, DrawRulesKey.values)
        if not MIN_DAYS <= self.days_per_move <= MAX_DAYS:
            raise Unprocessable(f"days_per_move: expected {MIN_DAYS} to {MAX_DAYS}, got {self.days_per_move}")
        if self.first_move is not None:
            self._check_first_move(variant)
        return variant

    def _check_first_move(self, variant: Variant) -> None:
        if self.colour != ColourChoice.FIRST:
            raise Unprocessable("first_move: expected it only from a creator who has the first side")
        if variant.opening_plies:
            raise Unprocessable(
                f"first_move: the first moves of {variant.name} are drawn when the game starts"
            )


def _expect_one_of(name: str, value: str, choices: list[str]) -> None:
    if value not in choices:
        raise Unprocessable(f"{name}: expected one of {', '.join(choices)}, got {value[:60]!r}")
