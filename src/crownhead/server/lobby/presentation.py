"""Open games and the form of a new one, as pages show them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

import crownhead
from crownhead import VARIANTS, Colour, CrownheadError, Variant
from crownhead.rules.draws import OFFICIAL, draw_rules_of
from crownhead.rules.federations import HOUSE_DRAW_RULES
from crownhead.server.core.problems import Unprocessable
from crownhead.server.play.boards import BoardView, Table
from crownhead.server.play.diagrams import Diagram, bottom_of, dark_side, diagram
from crownhead.server.play.draw_words import draw_rules_sentence
from crownhead.server.play.families import Family, families
from crownhead.server.play.game_page import Asked, hint
from crownhead.server.play.options import ColourChoice, GameOptions
from crownhead.server.play.presentation import duration
from crownhead.server.play.state import GameState
from crownhead.server.play.touch import Touch, touch
from crownhead.server.play.words import side

# Moorhead–Wyllie, Manchester 1841, from the Open Checkers Archive: the first recorded game we have.
_SHOWPIECE = "11-15 24-20 8-11 28-24 9-13 22-18 15x22 25x18 4-8 26-22 10-14 18x9 5x14 22-18".split()
DAYS = range(1, 15)
USUAL_DAYS = 3
DRAW_RULES = (OFFICIAL, *HOUSE_DRAW_RULES)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several to choose from."""

    value: str
    name: str
    chosen: bool
    note: str = ""


@dataclass(frozen=True, slots=True)
class Offer:
    """A game in the waiting room, as the viewer sees it."""

    id: str
    creator: str
    variant: str
    variant_key: str
    seat: str
    colour: Colour | None
    pace: str
    draw_rules: str
    expires_in: str
    moves: str
    mine: bool
    diagram: Diagram
    dark_side: str


@dataclass(frozen=True, slots=True)
class Showpiece:
    """A position from a real game that shows a guest what this is about."""

    diagram: Diagram
    fen: str
    caption: str


@dataclass(frozen=True, slots=True)
class NewGameForm:
    """The form of a new game as it was filled in so far, and the board that goes with it."""

    variant: Variant
    colour: str
    days_per_move: int
    draw_rules: str
    first_move: str
    board: BoardView
    hint: str

    @property
    def may_move_first(self) -> bool:
        """The creator has the first side and nothing else makes the first moves."""
        return _may_move_first(self.variant, self.colour)

    @property
    def families(self) -> list[tuple[Family, list[Choice]]]:
        """The variants by family."""
        return [
            (family, [Choice(row.key, row.name, row.key == self.variant.key) for row in family.variants])
            for family in families(VARIANTS.values())
        ]

    @property
    def colours(self) -> list[Choice]:
        """The sides to choose from, named by what moves first."""
        first = self.variant.start.first
        names = {
            ColourChoice.FIRST: _("%(side)s, first") % {"side": side(first, self.variant)},
            ColourChoice.SECOND: _("%(side)s, second") % {"side": side(first.opponent, self.variant)},
            ColourChoice.RANDOM: _("By lot"),
        }
        return [Choice(key.value, name, key.value == self.colour) for key, name in names.items()]

    @property
    def days(self) -> list[Choice]:
        """Days per move."""
        return [Choice(str(count), str(count), count == self.days_per_move) for count in DAYS]

    @property
    def draws(self) -> list[Choice]:
        """The draw rules, each with what it says."""
        rules = [(key, draw_rules_of(self.variant, key)) for key in DRAW_RULES]
        return [
            Choice(
                key,
                pgettext("draw rules", "Official") if key == OFFICIAL else row.name,
                key == self.draw_rules,
                draw_rules_sentence(row),
            )
            for key, row in rules
        ]


def showpiece() -> Showpiece:
    """The position on the front page."""
    record = crownhead.Game(opening=_SHOWPIECE)
    return Showpiece(
        diagram(record.position, bottom=Colour.BLACK),
        record.position.fen(),
        _("Moorhead against Wyllie, Manchester 1841. Red to move: what would you play?"),
    )


def new_game_form(query: QueryDict) -> NewGameForm:
    """The form as a query fills it in; what makes no sense falls back to the usual."""
    variant = VARIANTS.get(query.get("variant", "")) or next(iter(VARIANTS.values()))
    colour = _one_of(query.get("colour", ""), [choice.value for choice in ColourChoice], "first")
    days = query.get("days_per_move", "")
    record, asked, first = crownhead.Game(variant), Asked.of(query), variant.start.first
    table = Table(
        record=record,
        bottom=bottom_of(variant, first.opponent if colour == ColourChoice.SECOND else first),
        ply=0,
        touch=_first_touch(record, query, asked) if _may_move_first(variant, colour) else Touch(),
    )
    chosen = table.touch.chosen
    return NewGameForm(
        variant=variant,
        colour=colour,
        days_per_move=int(days) if days in map(str, DAYS) else USUAL_DAYS,
        draw_rules=_one_of(query.get("draw_rules", ""), list(DRAW_RULES), OFFICIAL),
        first_move=record.position.notation(chosen) if chosen else "",
        board=table.view(),
        hint="" if chosen else hint(table, asked),
    )


def options_of(form: QueryDict) -> GameOptions:
    """The terms that a sent form asks for; raises ``Unprocessable`` on what cannot be read."""
    days = form.get("days_per_move", "")
    if not days.isdecimal() or len(days) > 4:
        raise Unprocessable(_("Choose 1 to 14 days per move."))
    return GameOptions(
        variant=form.get("variant", ""),
        colour=form.get("colour", ""),
        days_per_move=int(days),
        draw_rules=form.get("draw_rules", ""),
        first_move=form.get("first_move", "").strip() or None,
    )


def offer(state: GameState, record: crownhead.Game, *, viewer_id: int | None, now: datetime) -> Offer:
    """A waiting game as a line of the waiting room."""
    first = state.variant.start.first
    colour = {"first": first, "second": first.opponent}.get(_free_seat(state))
    return Offer(
        id=state.id,
        creator=state.creator.username,
        variant=state.variant.name,
        variant_key=state.variant.key,
        seat=_("you play %(side)s") % {"side": side(colour, state.variant)}
        if colour
        else _("sides drawn by lot"),
        colour=colour,
        pace=state.time.words,
        draw_rules=""
        if state.draw_rules == OFFICIAL
        else draw_rules_of(state.variant, state.draw_rules).name,
        expires_in=duration(state.expires_at - now) if state.expires_at else "",
        moves=" ".join(state.moves),
        mine=viewer_id == state.creator.id,
        diagram=diagram(record.position, bottom=bottom_of(state.variant, colour or first)),
        dark_side=dark_side(state.variant),
    )


def _free_seat(state: GameState) -> str:
    if state.first and not state.second:
        return "second"
    return "first" if state.second and not state.first else ""


def _first_touch(record: crownhead.Game, query: QueryDict, asked: Asked) -> Touch:
    """What is touched on the board, or else the first move that the form holds already."""
    moves = record.position.legal_moves()
    path, written = asked.at, query.get("first_move", "")
    if written and "at" not in query:
        try:
            path = record.position.parse(written[:80]).path
        except CrownheadError:
            path = ()
    return touch(moves, path)


def _may_move_first(variant: Variant, colour: str) -> bool:
    return colour == ColourChoice.FIRST and not variant.opening_plies


def _one_of(value: str, choices: list[str], usual: str) -> str:
    return value if value in choices else usual
