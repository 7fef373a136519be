"""What somebody who offers a game chooses, and what staff may declare, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from crownhead import CrownheadError, Variant
from crownhead.rules import variant_of
from crownhead.server.core.problems import Unprocessable
from crownhead.server.play.clocks import HOUR, MAX_DAYS, MIN_DAYS, Pace, TimeControl
from crownhead.server.play.models import DrawRulesKey

LONGEST_LIVE, LONGEST_INCREMENT = 3 * 60 * 60, 180  # seconds
LONGEST_BANK = 60 * 24  # hours


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
class LiveClock:
    """Fischer's clock: seconds to begin with, seconds that each move adds."""

    initial: int
    increment: int = 0

    def control(self) -> TimeControl:
        """The rules of time; raises ``Unprocessable``."""
        _expect_between("clock.initial", self.initial, 0, LONGEST_LIVE)
        _expect_between("clock.increment", self.increment, 0, LONGEST_INCREMENT)
        if self.initial + self.increment < 1:
            raise Unprocessable("clock: expected some time, got none")
        return TimeControl(
            pace=Pace.LIVE,
            initial=timedelta(seconds=max(self.initial, self.increment)),
            bonus=timedelta(seconds=self.increment),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BankClock:
    """BrainKing's time, bonus, limit: hours to begin with, hours that each move adds, up to so many."""

    time: int
    bonus: int
    limit: int

    def control(self) -> TimeControl:
        """The rules of time; raises ``Unprocessable``."""
        _expect_between("clock.time", self.time, 1, LONGEST_BANK)
        _expect_between("clock.bonus", self.bonus, 0, LONGEST_BANK)
        _expect_between("clock.limit", self.limit, self.time, LONGEST_BANK)
        return TimeControl(
            pace=Pace.BANK, initial=self.time * HOUR, bonus=self.bonus * HOUR, limit=self.limit * HOUR
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOptions:
    """The terms of a new game: ``days_per_move`` or a ``clock``, and the rest.

    ``first_move`` is the creator's own, if he has the first side.
    """

    variant: str
    colour: str
    days_per_move: int | None = None
    clock: LiveClock | BankClock | None = None
    weekends_off: bool = False
    vacation: bool = False
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
        self._check_time()
        if self.first_move is not None:
            self._check_first_move(variant)
        return variant

    def control(self) -> TimeControl:
        """The rules of time that the clock means; raises ``Unprocessable``."""
        if self.clock is not None:
            return self.clock.control()
        if self.days_per_move is None:
            raise Unprocessable("days_per_move: expected 1 to 14, or a clock, got neither")
        return TimeControl(pace=Pace.DAYS, initial=timedelta(days=self.days_per_move))

    def _check_time(self) -> None:
        if self.days_per_move is not None:
            if self.clock is not None:
                raise Unprocessable("clock: expected either days_per_move or a clock, got both")
            _expect_between("days_per_move", self.days_per_move, MIN_DAYS, MAX_DAYS)
        if self.control().pace is Pace.LIVE:
            for name, wanted in (("weekends_off", self.weekends_off), ("vacation", self.vacation)):
                if wanted:
                    raise Unprocessable(f"{name}: a live clock never stands still; give false")

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


def _expect_between(name: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise Unprocessable(f"{name}: expected {least} to {most}, got {value}")
