"""The terms of a tournament as its host sets them, checked before they are stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext as _

from crownhead import VARIANTS
from crownhead.contest.errors import BadField, BadOption, ContestError
from crownhead.contest.formats import Format, format_of
from crownhead.contest.model import OptionValue
from crownhead.contest.options import Choices
from crownhead.server.competitions.choices import Entry, Start, Withdrawal
from crownhead.server.competitions.models import LONGEST_NAME
from crownhead.server.competitions.problems import bad_option, unknown_format
from crownhead.server.core.problems import Unprocessable
from crownhead.server.core.texts import expect_one_of, without_controls
from crownhead.server.play.games.options import HIGHEST_RATING, GameOptions
from crownhead.server.teams.selectors.terms import as_json

SHORTEST_NAME, LONGEST_ABOUT = 3, 5000
MAX_PLAYERS = 1000
MAX_PRIZES, LONGEST_PRIZE = 10, 60
MAX_PAUSE, MAX_NO_SHOW = 24 * 60, 120  # minutes
MAX_APPOINTMENT = 30  # days
SHORTEST_ARENA, LONGEST_ARENA = 10, 24 * 60  # minutes
MAX_LATE = 50
LATEST = timedelta(days=366)

Names = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """The terms of a tournament; leave out times and minutes that do not go with its clock."""

    name: str
    game: GameOptions
    format: str
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    about: str = ""
    entry: str = Entry.OPEN.value
    team: str = ""
    min_players: int = 2
    max_players: int = 8
    min_rating: int | None = None
    max_rating: int | None = None
    late_rounds: int = 0
    withdrawal: str = Withdrawal.FORFEIT.value
    start: str = Start.FULL.value
    starts_at: datetime | None = None
    held_rounds: bool = False
    pause_minutes: int = 0
    no_show_minutes: int | None = None
    appointment_days: int | None = None
    minutes: int | None = None
    prizes: Names = ()

    def columns(self, *, now: datetime) -> dict[str, Any]:
        """The model's fields; raises ``Unprocessable`` with the name of the wrong field."""
        expect_one_of("variant", self.game.variant, VARIANTS)
        made = self._format()
        live = self.game.control().pace == "live"
        self._check_text()
        self._check_field(made)
        self._check_start(now)
        if made.live and not live:
            raise Unprocessable(_("%(name)s needs a live clock.") % {"name": _(made.name)}, field="pace")
        if not live and (self.appointment_days or self.no_show_minutes or self.pause_minutes):
            raise Unprocessable(_("Appointments, breaks and no-shows need a live clock."), field="pace")
        if made.timed and (self.appointment_days or self.held_rounds):
            raise Unprocessable(
                _("%(name)s makes its own pairings; leave this out.") % {"name": _(made.name)},
                field="appointment_days",
            )
        if self.late_rounds and not made.late:
            raise Unprocessable(
                _("%(name)s has no late entry; enter 0.") % {"name": _(made.name)}, field="late_rounds"
            )
        return {
            "name": self.name.strip(),
            "about": without_controls(self.about),
            "variant": self.game.variant,
            "terms": as_json(self.game),
            "format": made.key,
            "options": self._options(made),
            "entry": self.entry,
            "team": self.team if self.entry == Entry.TEAM else "",
            "min_players": self.min_players,
            "max_players": self.max_players,
            "min_rating": self.min_rating,
            "max_rating": self.max_rating,
            "late_rounds": self.late_rounds,
            "withdrawal": self.withdrawal,
            "start": self.start,
            "starts_at": self.starts_at if self.start != Start.HAND else None,
            "held_rounds": self.held_rounds,
            "pause_minutes": self.pause_minutes,
            "no_show_minutes": self.no_show_minutes,
            "appointment_days": self.appointment_days,
            "minutes": self._minutes(made),
            "prizes": [prize.strip() for prize in self.prizes],
        }

    def _format(self) -> Format:
        try:
            return format_of(self.format)
        except ContestError as error:
            raise unknown_format(self.format) from error

    def _options(self, made: Format) -> dict[str, OptionValue]:
        """The options that differ from the defaults."""
        try:
            Choices(made.options, self.options)
            made.check(self.options, ())
        except BadOption as error:
            raise bad_option(made, error) from error
        except BadField:
            pass  # nobody has entered yet
        defaults = {option.key: option.default for option in made.options}
        return {key: value for key, value in self.options.items() if value != defaults[key]}

    def _check_text(self) -> None:
        if not SHORTEST_NAME <= len(self.name.strip()) <= LONGEST_NAME:
            raise Unprocessable(
                _("Use %(least)s to %(longest)s characters.")
                % {"least": SHORTEST_NAME, "longest": LONGEST_NAME},
                field="name",
            )
        if len(self.about) > LONGEST_ABOUT:
            raise Unprocessable(
                _("Use at most %(longest_about)s characters.") % {"longest_about": LONGEST_ABOUT},
                field="about",
            )
        if len(self.prizes) > MAX_PRIZES or not all(
            1 <= len(prize.strip()) <= LONGEST_PRIZE for prize in self.prizes
        ):
            raise Unprocessable(
                _("Name at most %(most_prizes)s trophies of at most %(longest_prize)s characters.")
                % {"most_prizes": MAX_PRIZES, "longest_prize": LONGEST_PRIZE},
                field="prizes",
            )

    def _check_field(self, made: Format) -> None:
        _expect("min_players", self.min_players, max(2, made.least), min(made.most, MAX_PLAYERS))
        _expect("max_players", self.max_players, self.min_players, min(made.most, MAX_PLAYERS))
        for name, rating in (("min_rating", self.min_rating), ("max_rating", self.max_rating)):
            if rating is not None:
                _expect(name, rating, 0, HIGHEST_RATING)
        if self.min_rating is not None and self.max_rating is not None:
            _expect("max_rating", self.max_rating, self.min_rating, HIGHEST_RATING)
        expect_one_of("entry", self.entry, Entry.values)
        expect_one_of("withdrawal", self.withdrawal, Withdrawal.values)
        _expect("late_rounds", self.late_rounds, 0, MAX_LATE)
        if self.entry == Entry.TEAM and not self.team:
            raise Unprocessable(_("Choose a team."), field="team")

    def _check_start(self, now: datetime) -> None:
        expect_one_of("start", self.start, Start.values)
        if self.start == Start.DATE and self.starts_at is None:
            raise Unprocessable(_("Choose a start date."), field="starts_at")
        if self.starts_at is not None and not now < self.starts_at <= now + LATEST:
            raise Unprocessable(_("Choose a time within the next year."), field="starts_at")
        _expect("pause_minutes", self.pause_minutes, 0, MAX_PAUSE)
        if self.no_show_minutes is not None:
            _expect("no_show_minutes", self.no_show_minutes, 1, MAX_NO_SHOW)
        if self.appointment_days is not None:
            _expect("appointment_days", self.appointment_days, 1, MAX_APPOINTMENT)

    def _minutes(self, made: Format) -> int | None:
        if not made.timed:
            return None
        if self.minutes is None:
            raise Unprocessable(_("Enter how long %(name)s lasts.") % {"name": _(made.name)}, field="minutes")
        _expect("minutes", self.minutes, SHORTEST_ARENA, LONGEST_ARENA)
        return self.minutes


def _expect(name: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise Unprocessable(
            _("Choose a number from %(least)s to %(most)s.") % {"least": least, "most": most}, field=name
        )
