"""The form to create and edit a tournament: its values, errors and meaning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from crownhead.contest.formats import FORMATS, TIE_BREAKS_OPTION, Format
from crownhead.contest.model import OptionValue
from crownhead.contest.options import Option
from crownhead.contest.tie_breaks import TIE_BREAKS
from crownhead.server.accounts.selectors import User
from crownhead.server.competitions.choices import Entry, Start, Withdrawal
from crownhead.server.competitions.models import Tournament
from crownhead.server.competitions.presenters.options import option_word
from crownhead.server.competitions.services.announcement import (
    LONGEST_ARENA,
    MAX_APPOINTMENT,
    MAX_LATE,
    MAX_NO_SHOW,
    MAX_PAUSE,
    MAX_PLAYERS,
    SHORTEST_ARENA,
    Announcement,
)
from crownhead.server.core.moments import field_moment, field_text
from crownhead.server.core.problems import Problem
from crownhead.server.play.games.options import HIGHEST_RATING, BankClock, LiveClock
from crownhead.server.teams import forms as teams_forms
from crownhead.server.teams import selectors as teams
from crownhead.server.teams.forms import Choice, TermsForm
from crownhead.server.teams.selectors import terms
from crownhead.server.teams.selectors.terms import hours_per_move, options_of

TIE_BREAK_FIELDS = 6
_SENT = "options_sent"  # which format the options that were sent belong to
_OPTION = "option-"
_TIE = "tie-"
_PLAIN: Mapping[str, str] = {
    "name": "",
    "about": "",
    "format": next(iter(FORMATS)),
    "entry": Entry.OPEN.value,
    "team": "",
    "min_players": "3",
    "max_players": "8",
    "min_rating": "",
    "max_rating": "",
    "late_rounds": "0",
    "withdrawal": Withdrawal.FORFEIT.value,
    "start": Start.FULL.value,
    "starts_at": "",
    "pause_minutes": "2",
    "no_show_minutes": "10",
    "appointment_days": "",
    "lasts": "60",
    "prizes": "",
}
_LONG = {"about": 5001, "prizes": 1000}
_SWITCH = "held_rounds"
_COLUMN = {"lasts": "minutes"}  # the clock has a field of that name
USUAL: Mapping[str, str] = {**teams_forms.USUAL, **_PLAIN, _SWITCH: ""}


@dataclass(frozen=True, slots=True)
class OptionField:
    """A field for an option of the format; ``kind``: number, choice, switch."""

    name: str
    text: str
    kind: str
    value: str
    least: int
    most: int
    choices: list[Choice]
    error: str


@dataclass(slots=True)
class TournamentForm(TermsForm):
    """The fields of a tournament; those of the games' terms are ``TermsForm``'s."""

    @classmethod
    def of(cls, query: QueryDict, *, sent: bool, may_rate: bool) -> TournamentForm:
        """The form of a query; missing fields get defaults, missing switches are off if it was sent."""
        filled = teams_forms.filled_in(query, USUAL, sent=sent)
        filled |= {name: query.get(name, filled[name])[:most] for name, most in _LONG.items()}
        filled[_SWITCH] = query.get(_SWITCH, "")
        if query.get(_SENT, filled["format"]) == filled["format"]:  # those of another format say nothing
            rest = (name for name in query if name.startswith((_OPTION, _TIE)))
            filled |= {name: query.get(name, "")[:100] for name in rest}
            filled |= {_SENT: "on"} if _SENT in query else {}  # a switch that is off is not sent
        return cls(filled, may_rate=may_rate)

    @classmethod
    def from_row(cls, row: Tournament, *, may_rate: bool) -> TournamentForm:
        """The form of an existing tournament."""
        filled = {**USUAL, **_terms_of(row), **_plain_of(row), **_options_of(row), _SENT: "on"}
        return cls(filled, may_rate=may_rate)

    @property
    def made(self) -> Format:
        """The chosen format, or the default one if there is none of that name."""
        return FORMATS.get(self.filled["format"]) or FORMATS[USUAL["format"]]

    @property
    def formats(self) -> list[Choice]:
        """All formats."""
        here = self.made.key
        return [
            Choice(made.key, _(made.name), made.key == here, _(made.summary)) for made in FORMATS.values()
        ]

    @property
    def live(self) -> bool:
        """Whether the games are live."""
        return self.filled["pace"] == teams_forms.LIVE

    def choices_of(self, name: str, known: Any) -> list[Choice]:
        """The choices of a field."""
        return [Choice(item.value, str(item.label), item.value == self.filled[name]) for item in known]

    @property
    def entries(self) -> list[Choice]:
        """Who can enter."""
        return self.choices_of("entry", Entry)

    @property
    def starts(self) -> list[Choice]:
        """When it begins."""
        return self.choices_of("start", Start)

    @property
    def withdrawals(self) -> list[Choice]:
        """What happens to open games."""
        return self.choices_of("withdrawal", Withdrawal)

    def teams_of(self, user: User) -> list[Choice]:
        """The teams whose captain the user is."""
        rows = teams.teams_led_by(user.pk)
        return [Choice(row.public_id, row.name, row.public_id == self.filled["team"]) for row in rows]

    @property
    def option_fields(self) -> list[OptionField]:
        """The options of the chosen format, except its tie-breaks."""
        return [self._field(option) for option in self.made.plain_options]

    @property
    def tie_breaks(self) -> list[tuple[str, list[Choice]]]:
        """The tie-breaks in their order; none if the format has none."""
        usual = self.made.usual_tie_breaks
        if usual is None:
            return []
        fields = []
        for number in range(TIE_BREAK_FIELDS):
            name = f"{_TIE}{number + 1}"
            here = self.filled.get(name, usual[number] if number < len(usual) and not self._chose() else "")
            known = [Choice(key, _(made.name), key == here, _(made.text)) for key, made in TIE_BREAKS.items()]
            fields.append((name, [Choice("", _("none"), not here), *known]))
        return fields

    @property
    def known_tie_breaks(self) -> list[Choice]:
        """All tie-breaks with what they mean."""
        return [Choice(key, _(made.name), False, _(made.text)) for key, made in TIE_BREAKS.items()]

    def announcement(self) -> Announcement:
        """The terms, as far as the fields are valid; check ``errors`` before using them."""
        value, live, timed = self.filled, self.live, self.made.timed
        early = live and not timed
        return Announcement(
            name=value["name"],
            about=value["about"],
            game=self.options(),
            format=self.made.key,
            options=self._chosen(),
            entry=value["entry"],
            team=value["team"] if value["entry"] == Entry.TEAM else "",
            min_players=self.number("min_players", 2, MAX_PLAYERS),
            max_players=self.number("max_players", 2, MAX_PLAYERS),
            min_rating=self.number_or_none("min_rating", 0, HIGHEST_RATING),
            max_rating=self.number_or_none("max_rating", 0, HIGHEST_RATING),
            late_rounds=self.number("late_rounds", 0, MAX_LATE) if self.made.late and not timed else 0,
            withdrawal=value["withdrawal"],
            start=value["start"],
            starts_at=self._moment("starts_at") if value["start"] != Start.HAND else None,
            held_rounds=bool(value[_SWITCH]) and not timed,
            pause_minutes=self.number("pause_minutes", 0, MAX_PAUSE) if early else 0,
            no_show_minutes=self.number_or_none("no_show_minutes", 1, MAX_NO_SHOW) if live else None,
            appointment_days=self.number_or_none("appointment_days", 1, MAX_APPOINTMENT) if early else None,
            minutes=self.number("lasts", SHORTEST_ARENA, LONGEST_ARENA) if timed else None,
            prizes=tuple(line.strip() for line in value["prizes"].splitlines() if line.strip()),
        )

    def refuse(self, problem: Problem) -> bool:
        """Show a problem beside the field it is about; false if it is about none."""
        name = "lasts" if problem.field == "minutes" else problem.field
        if name in {option.key for option in self.made.options}:
            self.errors[_OPTION + name] = problem.message
        elif name in USUAL or name in {"clock", "days_per_move"}:
            self.errors[name] = problem.message
        else:
            return False
        return True

    def _field(self, option: Option) -> OptionField:
        name = _OPTION + option.key
        kind = "switch" if isinstance(option.default, bool) else "choice" if option.choices else "number"
        usual = ("on" if option.default else "") if kind == "switch" else str(option.default)
        missing = "" if kind == "switch" and _SENT in self.filled else usual
        value = self.filled.get(name, missing)
        return OptionField(
            name=name,
            text=_(option.text),
            kind=kind,
            value=value,
            least=option.least,
            most=option.most,
            choices=[Choice(key, option_word(key), key == value) for key in option.choices],
            error=self.errors.get(name, ""),
        )

    def _chosen(self) -> dict[str, OptionValue]:
        """The chosen options of the format."""
        chosen: dict[str, OptionValue] = {}
        for option, field in zip(self.made.plain_options, self.option_fields, strict=True):
            if field.kind == "switch":
                chosen[option.key] = bool(field.value)
            elif field.kind == "choice":
                chosen[option.key] = field.value
            else:
                chosen[option.key] = self._option_number(option, field)
        if self.tie_breaks and self._chose():
            keys = [self.filled.get(f"{_TIE}{at + 1}", "") for at in range(TIE_BREAK_FIELDS)]
            chosen[TIE_BREAKS_OPTION] = ",".join(dict.fromkeys(key for key in keys if key))
        return chosen

    def _option_number(self, option: Option, field: OptionField) -> int:
        text = field.value.strip()
        if text.isdecimal() and len(text) < 6 and option.least <= int(text) <= option.most:
            return int(text)
        facts = {"least": option.least, "most": option.most}
        self.errors[field.name] = _("Enter a whole number from %(least)s to %(most)s.") % facts
        return option.least

    def _chose(self) -> bool:
        """Whether the fields of the tie-breaks were sent."""
        return any(name.startswith(_TIE) for name in self.filled)

    def _moment(self, name: str) -> datetime | None:
        text = self.filled[name].strip()
        if not text:
            return None
        try:
            return field_moment(text)
        except ValueError:
            self.errors[name] = _("Enter a date and a time.")
            return None


def _terms_of(row: Tournament) -> dict[str, str]:
    options = options_of(row.variant, row.terms)
    switches = {name: "on" if getattr(options, name) else "" for name in teams_forms.SWITCHES}
    fields = {"variant": row.variant, "draw_rules": options.draw_rules, **switches}
    clock = options.clock
    if isinstance(clock, LiveClock):
        minutes, seconds = str(clock.initial // 60), str(clock.increment)
        return fields | {"pace": teams_forms.LIVE, "minutes": minutes, "seconds": seconds}
    if not isinstance(clock, BankClock):
        return fields | {"pace": teams_forms.DAYS, "days_per_move": str(options.days_per_move)}
    for pace, hours in ((teams_forms.MAIN, terms.MAIN_HOURS), (teams_forms.FAST, terms.FAST_HOURS)):
        if clock == hours_per_move(hours):
            return fields | {"pace": pace}
    bank = {"time": str(clock.time), "bonus": str(clock.bonus), "limit": str(clock.limit)}
    return fields | {"pace": teams_forms.BANK, **bank}


def _plain_of(row: Tournament) -> dict[str, str]:
    fields = {}
    for name in _PLAIN:
        value = getattr(row, _COLUMN.get(name, name))
        fields[name] = "" if value is None else str(value)
    fields["starts_at"] = field_text(row.starts_at) if row.starts_at else ""
    fields["prizes"] = "\n".join(row.prizes)
    return fields | {_SWITCH: "on" if row.held_rounds else ""}


def _options_of(row: Tournament) -> dict[str, str]:
    made = FORMATS[row.format]
    fields: dict[str, str] = {}
    for option in made.options:
        value = row.options.get(option.key, option.default)
        if option.key == TIE_BREAKS_OPTION:
            keys = str(value).split(",")
            fields |= {
                f"{_TIE}{at + 1}": keys[at] if at < len(keys) else "" for at in range(TIE_BREAK_FIELDS)
            }
        elif isinstance(option.default, bool):
            fields |= {_OPTION + option.key: "on"} if value else {}
        else:
            fields[_OPTION + option.key] = str(value)
    return fields
