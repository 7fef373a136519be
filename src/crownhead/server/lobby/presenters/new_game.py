"""The page of a new game: its fields with their choices, and the board that goes with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

import crownhead
from crownhead import VARIANTS, CrownheadError, Position, Variant
from crownhead.openings import opening_name, three_move_deck
from crownhead.rules.draws import OFFICIAL, draw_rules_of
from crownhead.rules.federations import HOUSE_DRAW_RULES
from crownhead.server.core.problems import Problem
from crownhead.server.lobby.forms import OWN_CLOCK, PRESETS, USUAL, TermsForm
from crownhead.server.play.clocks.time_control import MAX_DAYS, MIN_DAYS, Pace
from crownhead.server.play.draws.presenters import draw_rules_sentence
from crownhead.server.play.games.options import ColourChoice, TimeRange
from crownhead.server.play.games.selectors.starts import checked_start
from crownhead.server.play.presenters.board.boards import BoardPresenter, GameBoard, hint
from crownhead.server.play.presenters.board.diagrams import bottom_of
from crownhead.server.play.presenters.board.moves import touched
from crownhead.server.play.presenters.board.touch import BoardQuery, Touch
from crownhead.server.play.presenters.colours import colour_names
from crownhead.server.play.presenters.families import Family, families
from crownhead.server.play.presenters.variant_texts import variant_name

DRAW_RULES = (OFFICIAL, *HOUSE_DRAW_RULES)
_FURTHER = ("match", "games", "wins", "rated", "hidden", "min_rating", "max_rating", "draw_rules", "opening")


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several choices."""

    value: str
    name: str
    chosen: bool
    note: str = ""


@dataclass(frozen=True, slots=True)
class NewGamePage:
    """The form as it was filled in so far, and the board that goes with it."""

    variant: Variant
    filled: Mapping[str, str]
    errors: Mapping[str, str]
    first_move: str
    board: BoardPresenter
    hint: str
    start: Position | None = None  # from which the game is to begin instead of from the array

    @property
    def start_query(self) -> str:
        """The part of an address that names the position; empty for the usual one."""
        return "&" + urlencode({"fen": self.start.fen()}) if self.start else ""

    @property
    def may_move_first(self) -> bool:
        """The creator plays the first side, and no opening is drawn."""
        return self.start is None and _may_move_first(self.variant, self.filled["colour"])

    @property
    def has_more_options(self) -> bool:
        """Whether one of the options under “More options” is not the default, or has an error."""
        usual = all(self.filled[name] == USUAL.get(name, "") for name in _FURTHER)
        return not usual or any(name in self.errors for name in _FURTHER)

    @property
    def families(self) -> list[tuple[Family, list[Choice]]]:
        """The variants by family."""
        return [
            (
                family,
                [Choice(row.key, variant_name(row), row.key == self.variant.key) for row in family.variants],
            )
            for family in families(VARIANTS.values())
        ]

    @property
    def colours(self) -> list[Choice]:
        """The sides, with which moves first."""
        begins = None if self.start is None else self.start.turn
        return self._choices("colour", colour_names(self.variant, begins))

    @property
    def paces(self) -> list[Choice]:
        """The kinds of clock."""
        names = {Pace.DAYS: _("Days per move"), Pace.LIVE: _("Live"), Pace.BANK: _("Time bank")}
        return self._choices("pace", {key.value: name for key, name in names.items()})

    @property
    def days(self) -> list[Choice]:
        """Days per move."""
        return self._choices("days_per_move", {str(day): str(day) for day in range(MIN_DAYS, MAX_DAYS + 1)})

    @property
    def live_clocks(self) -> list[Choice]:
        """Well-known clocks, and a custom one."""
        known = {f"{minutes}+{seconds}": f"{minutes} + {seconds}" for minutes, seconds in PRESETS}
        return self._choices("live", known | {OWN_CLOCK: _("Custom")})

    @property
    def time_ranges(self) -> list[Choice]:
        """Which other times “Find a game” takes."""
        names = {
            TimeRange.EXACT: _("Only this time"),
            TimeRange.SIMILAR: _("Similar times"),
            TimeRange.ANY: _("Any time"),
        }
        return self._choices("time_range", {key.value: name for key, name in names.items()})

    @property
    def matches(self) -> list[Choice]:
        """How many games."""
        names = {
            "one": _("One game"),
            "two": _("Two games at once, sides swapped"),
            "games": _("Several games, one after another"),
            "wins": _("First to several wins"),
        }
        return self._choices("match", names)

    @property
    def draws(self) -> list[Choice]:
        """The draw rules, each with what it says."""
        rules = [(key, draw_rules_of(self.variant, key)) for key in DRAW_RULES]
        return [
            Choice(
                key,
                pgettext("draw rules", "Official") if key == OFFICIAL else row.name,
                key == self.filled["draw_rules"],
                draw_rules_sentence(row),
            )
            for key, row in rules
        ]

    @property
    def ballots(self) -> list[Choice]:
        """The openings to choose from in an invitation; none where the variant begins from its array."""
        if not self.variant.opening_plies:
            return []
        return [Choice(number, text, number == self.filled["opening"]) for number, text in _ballots()]

    def _choices(self, name: str, names: Mapping[str, str]) -> list[Choice]:
        return [Choice(value, text, value == self.filled[name]) for value, text in names.items()]


@cache
def _ballots() -> tuple[tuple[str, str], ...]:
    """The numbers of the ballots, each with its moves and the name of the opening."""
    deck = three_move_deck()
    return tuple(
        (
            str(ballot.number),
            f"{ballot.number}. {' '.join(ballot.moves)} {opening_name(ballot.position(deck.variant_key))}",
        )
        for ballot in deck.playable
    )


def new_game_page(form: TermsForm, query: QueryDict) -> NewGamePage:
    """The page as the fields and the touched squares make it; invalid values fall back to the defaults."""
    variant = VARIANTS.get(form.filled["variant"]) or VARIANTS[USUAL["variant"]]
    known = {
        "variant": (variant.key,),
        "colour": tuple(choice.value for choice in ColourChoice),
        "pace": tuple(pace.value for pace in Pace),
        "days_per_move": tuple(map(str, range(MIN_DAYS, MAX_DAYS + 1))),
        "draw_rules": DRAW_RULES,
        "time_range": tuple(choice.value for choice in TimeRange),
        "match": ("one", "two", "games", "wins"),
        "live": (*(f"{minutes}+{seconds}" for minutes, seconds in PRESETS), OWN_CLOCK),
    }
    filled = {
        name: text if text in known.get(name, (text,)) else USUAL[name] for name, text in form.filled.items()
    }
    start = _start(form, variant)
    record, board_query = crownhead.Game(variant, start=start), BoardQuery.of(query)
    first = variant.start.first
    table = GameBoard(
        replay=record,
        bottom=bottom_of(variant, first.opponent if filled["colour"] == ColourChoice.SECOND else first),
        ply=0,
        touch=_first_touch(record, filled["first_move"], query, board_query)
        if start is None and _may_move_first(variant, filled["colour"])
        else Touch(),
    )
    return NewGamePage(
        variant=variant,
        filled=filled | {"variant": variant.key},
        errors=form.errors,
        first_move=table.touch.chosen_text,
        board=table.presenter(),
        hint="" if table.touch.chosen else hint(table, board_query),
        start=start,
    )


def _start(form: TermsForm, variant: Variant) -> Position | None:
    """The position from which the game is to begin; none, with an error, where no game can."""
    if not form.start:
        return None
    try:
        written = checked_start(variant, form.start)
    except Problem as problem:
        form.errors["fen"] = problem.text
        return None
    return Position.from_fen(written, variant) if written else None


def _first_touch(record: crownhead.Game, written: str, query: QueryDict, board_query: BoardQuery) -> Touch:
    """The touched squares, or else the first move already in the form."""
    path = board_query.at
    if written and "at" not in query:
        try:
            path = record.position.parse(written[:80]).path
        except CrownheadError:
            path = ()
    return touched(record.position, path)


def _may_move_first(variant: Variant, colour: str) -> bool:
    return colour == ColourChoice.FIRST and not variant.opening_plies
