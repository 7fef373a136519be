"""The rules of a variant: an introduction, pictures, and what its row of the table says, written out."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from crownhead import VARIANTS, Position, Variant
from crownhead.rules.schema import Corner, Grid, PieceKind
from crownhead.server.pages.presenters import rule_words as words
from crownhead.server.pages.presenters.introductions import introduction
from crownhead.server.pages.presenters.rule_pictures import Picture, pictures
from crownhead.server.play.draws.presenters import article_of, draw_rule_sentence
from crownhead.server.play.presenters.board.diagrams import NO_MARKS, Diagram, Marks, bottom_of, diagram
from crownhead.server.play.presenters.board.words import side
from crownhead.server.play.presenters.families import Family, families
from crownhead.server.play.presenters.variant_texts import variant_name


@dataclass(frozen=True, slots=True)
class RulesPage:
    """Everything the page of a variant shows; ``draws`` are sentences, each with where it is written."""

    variant: Variant
    introduction: tuple[str, ...]
    start: Diagram
    pictures: tuple[Picture, ...]
    facts: list[tuple[str, str]]
    draws: list[tuple[str, str]]


def rules_page(variant: Variant) -> RulesPage:
    """Work out the page."""
    return RulesPage(
        variant,
        introduction(variant),
        start_board(variant, Marks(names=True), detailed=True),
        pictures(variant),
        [(question, answer) for question, answer in _facts(variant) if answer],
        [(draw_rule_sentence(rule), article_of(rule)) for rule in variant.draws.rules],
    )


def start_board(variant: Variant, marks: Marks = NO_MARKS, *, detailed: bool = False) -> Diagram:
    """The start array from the side that begins."""
    first = variant.start.first
    label = _("The start of %(variant)s, %(side)s at the bottom") % {
        "variant": variant_name(variant),
        "side": side(bottom_of(variant, first), variant),
    }
    return diagram(
        Position.start(variant), bottom=bottom_of(variant, first), label=label, marks=marks, detailed=detailed
    )


def cards() -> list[tuple[Family, list[tuple[Variant, Diagram]]]]:
    """All variants by family, each with its board."""
    return [
        (family, [(variant, start_board(variant)) for variant in family.variants])
        for family in families(VARIANTS.values())
    ]


def _facts(variant: Variant) -> list[tuple[str, str]]:
    return [
        (_("Board"), _board(variant)),
        (_("Squares"), _numbering(variant)),
        (_("Pieces"), words.pieces(variant)),
        (_("First move"), _first(variant)),
        (_("Men"), " ".join(words.men(variant))),
        (_marked(variant), " ".join(words.marked_men(variant))),
        (_("Kings"), " ".join(words.kings(variant))),
        (_("Choice of capture"), words.which_capture(variant)),
        (_("Captured pieces"), words.pieces_taken(variant)),
        (_("Crowning"), words.crowning(variant)),
        (_("Winning"), words.who_wins(variant)),
        (_("In PDN"), _pdn(variant)),
    ]


def _board(variant: Variant) -> str:
    board = variant.board
    facts = {"width": board.width, "height": board.height}
    match board.grid:
        case Grid.FULL:
            return _("%(width)s by %(height)s squares, all in use") % facts
        case Grid.LINES:
            return _("%(width)s by %(height)s points where lines cross") % facts
    if board.left_corner:
        return _("%(width)s by %(height)s, with a playing square in each player's left corner") % facts
    return _("%(width)s by %(height)s, with a playing square in each player's right corner") % facts


def _numbering(variant: Variant) -> str:
    notation = variant.notation
    if notation.algebraic:
        return _("named by letter and number, with a1 at White's %(corner)s") % {
            "corner": _CORNERS[notation.a1]()
        }
    return _("numbered 1 to %(count)s along the rows, with 1 at White's %(corner)s") % {
        "count": variant.board.squares,
        "corner": _CORNERS[notation.first_square](),
    }


_CORNERS = {
    Corner.TOP_LEFT: lambda: _("upper left"),
    Corner.TOP_RIGHT: lambda: _("upper right"),
    Corner.BOTTOM_LEFT: lambda: _("lower left"),
    Corner.BOTTOM_RIGHT: lambda: _("lower right"),
}


def _first(variant: Variant) -> str:
    who = side(variant.start.first, variant)
    if variant.opening_plies:
        return _("%(side)s; the first %(count)s moves come from a random opening") % {
            "side": who,
            "count": variant.opening_plies,
        }
    return who


def _marked(variant: Variant) -> str:
    return _("Parachutists") if variant.rules.marked is PieceKind.PARACHUTIST else _("Mules")


def _pdn(variant: Variant) -> str:
    facts = {"sign": variant.notation.capture_sign, "number": variant.notation.game_type}
    if variant.notation.game_type is None:
        return _("captures are written with %(sign)s; this game has no PDN number") % facts
    return _("captures are written with %(sign)s; the game type is %(number)s") % facts
