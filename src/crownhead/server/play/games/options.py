"""What somebody who offers a game chooses, and what staff may declare, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from django.utils.translation import gettext as _

from crownhead import VARIANTS, CrownheadError, Position, UnknownVariant, Variant
from crownhead.rules import variant_of
from crownhead.server.core.problems import Unprocessable
from crownhead.server.core.texts import expect_one_of
from crownhead.server.play.clocks.time_control import HOUR, MAX_DAYS, MIN_DAYS, Pace, TimeControl
from crownhead.server.play.games.selectors import replay, starts
from crownhead.server.play.models import DrawRulesKey, MatchKind
from crownhead.server.play.presenters.variant_texts import variant_name
from crownhead.server.play.problems.reasons import refusal

LONGEST_LIVE, LONGEST_INCREMENT = 3 * 60 * 60, 180  # seconds
LONGEST_BANK = 60 * 24  # hours
MAX_GAMES, MAX_WINS = 20, 10
HIGHEST_RATING = 4000


class ColourChoice(StrEnum):
    """The side the creator of a game wants."""

    FIRST = "first"
    SECOND = "second"
    RANDOM = "random"


class Result(StrEnum):
    """What staff may declare: the seat that wins, a draw, or that the game counts for nothing."""

    FIRST = "first"
    SECOND = "second"
    DRAW = "draw"
    NOTHING = "nothing"


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
            raise Unprocessable(_("Set a time on the clock."), field="clock")
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

    ``first_move`` is the creator's, if they have the first side; ``start`` the FEN of a position to begin
    from instead of the array, in an invitation or a game that starts at once.
    """

    variant: str
    colour: str
    days_per_move: int | None = None
    clock: LiveClock | BankClock | None = None
    weekends_off: bool = False
    vacation: bool = False
    draw_rules: str = DrawRulesKey.OFFICIAL.value
    rated: bool = False
    hidden: bool = False
    min_rating: int | None = None
    max_rating: int | None = None
    opening: int | None = None
    games: int = 1
    wins: int | None = None
    first_move: str | None = None
    start: str | None = None

    def checked(self, *, invited: bool = False) -> Variant:
        """The row of the variant, if the options make sense; raises ``Unprocessable``.

        ``invited``: the game is offered to one player, not to anybody.
        """
        try:
            variant = variant_of(self.variant)
            if variant.key != self.variant:  # rows hold keys, not aliases
                raise UnknownVariant(self.variant, tuple(VARIANTS))
        except CrownheadError as error:
            raise refusal(error) from error
        expect_one_of("colour", self.colour, [choice.value for choice in ColourChoice])
        expect_one_of("draw_rules", self.draw_rules, DrawRulesKey.values)
        self._check_time()
        self._check_opening(variant, invited=invited)
        self._check_match()
        self._check_ratings()
        if self.rated and self.hidden:
            raise Unprocessable(_("Private games are never rated."), field="rated")
        if self.first_move is not None:
            self._check_first_move(variant)
        if self.start is not None:
            self._check_start(invited=invited)
        return variant

    def first_position(self) -> Position:
        """Where the game begins; raises ``Unprocessable``."""
        variant = variant_of(self.variant)
        return starts.start_of(variant, starts.checked_start(variant, self.start) if self.start else None)

    def control(self) -> TimeControl:
        """The rules of time that the clock means; raises ``Unprocessable``."""
        if self.clock is not None:
            return self.clock.control()
        if self.days_per_move is None:
            raise Unprocessable(_("Choose 1 to 14 days per move, or a clock."), field="days_per_move")
        return TimeControl(pace=Pace.DAYS, initial=timedelta(days=self.days_per_move))

    def _check_time(self) -> None:
        if self.days_per_move is not None:
            if self.clock is not None:
                raise Unprocessable(_("Choose either days_per_move or a clock, not both."), field="clock")
            _expect_between("days_per_move", self.days_per_move, MIN_DAYS, MAX_DAYS)
        if self.control().pace is Pace.LIVE:
            for name, wanted in (("weekends_off", self.weekends_off), ("vacation", self.vacation)):
                if wanted:
                    raise Unprocessable(_("Live games have no weekends or vacations."), field=name)

    def match(self) -> tuple[MatchKind, int] | None:
        """What kind of match it is to be and how long; None for a single game."""
        if self.wins is not None:
            return MatchKind.WINS, self.wins
        if self.games == 1:
            return None
        return (MatchKind.TWO if self.games == 2 else MatchKind.GAMES), self.games

    def _check_opening(self, variant: Variant, *, invited: bool) -> None:
        if self.opening is None:
            return
        if not invited:
            raise Unprocessable(_("The opening can only be chosen in an invitation."), field="opening")
        if not variant.opening_plies:
            raise Unprocessable(
                _("%(name)s has no openings to choose from.") % {"name": variant_name(variant)},
                field="opening",
            )
        replay.ballot_of(self.opening)

    def _check_start(self, *, invited: bool) -> None:
        """What the position itself allows is checked where it is read: ``first_position``."""
        if not invited:
            raise Unprocessable(_("You can only choose the position in an invitation."), field="start")
        if self.rated:
            raise Unprocessable(_("Games from a position of your own are never rated."), field="rated")
        if self.opening is not None or self.first_move is not None or self.match():
            raise Unprocessable(
                _("A game from a position is a single game, without an opening or a first move."),
                field="start",
            )

    def _check_match(self) -> None:
        _expect_between("games", self.games, 1, MAX_GAMES)
        if self.wins is not None:
            _expect_between("wins", self.wins, 2, MAX_WINS)
            if self.games != 1:
                raise Unprocessable(_("Choose either games or wins, not both."), field="wins")
        if self.match() and self.first_move is not None:
            raise Unprocessable(_("A first move is only possible in a single game."), field="first_move")

    def _check_ratings(self) -> None:
        for name, value in (("min_rating", self.min_rating), ("max_rating", self.max_rating)):
            if value is not None:
                _expect_between(name, value, 0, HIGHEST_RATING)
        if None not in (self.min_rating, self.max_rating) and self.min_rating > self.max_rating:  # type: ignore[operator]
            raise Unprocessable(
                _("Choose at least %(min_rating)s, not %(max_rating)s.")
                % {"min_rating": self.min_rating, "max_rating": self.max_rating},
                field="max_rating",
            )

    def _check_first_move(self, variant: Variant) -> None:
        if self.colour != ColourChoice.FIRST:
            raise Unprocessable(
                _("You can only make the first move if you play the first side."), field="first_move"
            )
        if variant.opening_plies:
            raise Unprocessable(
                _("The first moves of %(name)s are drawn when the game starts.")
                % {"name": variant_name(variant)},
                field="first_move",
            )


class TimeRange(StrEnum):
    """Which times a search takes besides its own, at the same pace."""

    EXACT = "exact"
    SIMILAR = "similar"
    ANY = "any"


@dataclass(frozen=True, slots=True, kw_only=True)
class Flexibility:
    """What somebody who looks for a game takes besides the terms they would offer."""

    time: TimeRange = TimeRange.EXACT
    rated: bool = False  # rated games and others
    stops: bool = False  # whatever vacations and weekends do to the clock


_SIMILAR = 2  # times as long, or as short
_USUAL_MOVES = 40  # of a player in a game, for which increments are counted


def accepts_time(wanted: TimeControl, offered: TimeControl, time_range: TimeRange) -> bool:
    """Whether a time that is offered is within the range of what is wanted."""
    if wanted.pace is not offered.pace:
        return False
    if time_range is TimeRange.EXACT:
        return (wanted.initial, wanted.bonus, wanted.limit) == (offered.initial, offered.bonus, offered.limit)
    lengths = [control.initial + _USUAL_MOVES * control.bonus for control in (wanted, offered)]
    return time_range is TimeRange.ANY or max(lengths) <= _SIMILAR * min(lengths)


def _expect_between(name: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise Unprocessable(
            _("Choose %(least)s to %(most)s, not %(value)s.")
            % {"least": least, "most": most, "value": value},
            field=name,
        )
