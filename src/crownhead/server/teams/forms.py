"""The fields for the terms of games on a form: their values, errors and meaning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from crownhead import VARIANTS
from crownhead.rules.draws import OFFICIAL
from crownhead.rules.federations import HOUSE_DRAW_RULES
from crownhead.server.play.clocks.time_control import MAX_DAYS, MIN_DAYS
from crownhead.server.play.games.options import (
    LONGEST_BANK,
    LONGEST_INCREMENT,
    LONGEST_LIVE,
    BankClock,
    ColourChoice,
    GameOptions,
    LiveClock,
)
from crownhead.server.teams.selectors.terms import FAST_HOURS, MAIN_HOURS, hours_per_move
from crownhead.server.web.forms import whole_number

MAIN, FAST, DAYS, BANK, LIVE = "main", "fast", "days", "bank", "live"
SWITCHES = ("weekends_off", "vacation", "rated")
USUAL: Mapping[str, str] = {
    "variant": next(iter(VARIANTS)),
    "pace": MAIN,
    "days_per_move": "3",
    "time": "72",
    "bonus": "12",
    "limit": "168",
    "minutes": "5",
    "seconds": "3",
    "draw_rules": OFFICIAL,
    "rated": "on",
    "vacation": "on",
}
_LONGEST = 1000  # that is read of a field; each service says how much of it is too much
_MINUTE = 60


def filled_in(query: QueryDict, usual: Mapping[str, str] = USUAL, *, sent: bool) -> dict[str, str]:
    """The value of each field; missing ones get their defaults, missing switches are off if it was sent."""
    switches = {name: query.get(name, "" if sent else usual.get(name, "")) for name in SWITCHES}
    return {name: query.get(name, value)[:_LONGEST] for name, value in usual.items()} | switches


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice of a field."""

    value: str
    name: str
    chosen: bool
    note: str = ""


@dataclass(slots=True)
class TermsForm:
    """The fields; reading them collects ``errors`` by field."""

    filled: Mapping[str, str]
    errors: dict[str, str] = field(default_factory=dict)
    may_rate: bool = True  # whether rated games can be chosen
    may_be_live: bool = True  # whether a live clock can be chosen

    @property
    def paces(self) -> list[Choice]:
        """The choices of time control."""
        names = {
            MAIN: (_("Standard"), _("%(hours)s hours per move") % {"hours": MAIN_HOURS}),
            FAST: (_("Fast"), _("%(hours)s hours per move") % {"hours": FAST_HOURS}),
            DAYS: (_("Days"), _("a number of days per move")),
            BANK: (_("Time bank"), _("a bank of hours; every move adds some")),
        }
        if self.may_be_live:
            names[LIVE] = (_("Live"), _("both players are online at the same time"))
        here = self.filled["pace"]
        return [Choice(value, name, value == here, note) for value, (name, note) in names.items()]

    @property
    def draws(self) -> list[Choice]:
        """The choices of draw rules."""
        names = {OFFICIAL: pgettext("draw rules", "Official")}
        names |= {key: rules.name for key, rules in HOUSE_DRAW_RULES.items()}
        return [Choice(key, name, key == self.filled["draw_rules"]) for key, name in names.items()]

    def options(self) -> GameOptions:
        """The terms, as far as the fields are valid; check ``errors`` before using them."""
        value = self.filled
        live = value["pace"] == LIVE
        return GameOptions(
            variant=value["variant"],
            colour=ColourChoice.FIRST.value,
            days_per_move=self.number("days_per_move", MIN_DAYS, MAX_DAYS) if value["pace"] == DAYS else None,
            clock=self._clock(),
            weekends_off=bool(value["weekends_off"]) and not live,
            vacation=bool(value["vacation"]) and not live,
            draw_rules=value["draw_rules"],
            rated=self.may_rate and bool(value["rated"]),
        )

    def number(self, name: str, least: int, most: int) -> int:
        """A whole number within bounds; otherwise ``least``, and an error."""
        return whole_number(self.filled, self.errors, name, least=least, most=most)

    def number_or_none(self, name: str, least: int, most: int) -> int | None:
        """A whole number within bounds; None if the field is empty."""
        return self.number(name, least, most) if self.filled[name].strip() else None

    def _clock(self) -> LiveClock | BankClock | None:
        pace = self.filled["pace"]
        if pace == LIVE:
            minutes = self.number("minutes", 0, LONGEST_LIVE // _MINUTE)
            seconds = self.number("seconds", 0 if minutes else 1, LONGEST_INCREMENT)
            return LiveClock(initial=minutes * _MINUTE, increment=seconds)
        if pace == BANK:
            time = self.number("time", 1, LONGEST_BANK)
            return BankClock(
                time=time,
                bonus=self.number("bonus", 0, LONGEST_BANK),
                limit=self.number("limit", time, LONGEST_BANK),
            )
        if pace == DAYS:
            return None
        return hours_per_move(FAST_HOURS if pace == FAST else MAIN_HOURS)
