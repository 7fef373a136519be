"""The introduction to a variant on its rules page: what is written about it, or else what its row tells."""

from __future__ import annotations

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from crownhead import Variant
from crownhead.rules.schema import Grid
from crownhead.server.pages.presenters import rule_words as words
from crownhead.server.play.presenters import variant_texts
from crownhead.server.play.presenters.board.words import side


def introduction(variant: Variant) -> tuple[str, ...]:
    """The paragraphs; at least one."""
    return variant_texts.introduction(variant) or (from_the_row(variant),)


def from_the_row(variant: Variant) -> str:
    """A paragraph for a variant that nobody has written about yet."""
    facts = {
        "variant": variant_texts.variant_name(variant),
        "board": _BOARDS[variant.board.grid]()
        % {"width": variant.board.width, "height": variant.board.height},
        "pieces": words.pieces(variant),
        "side": side(variant.start.first, variant),
    }
    sentence = _("%(variant)s is played on %(board)s, with %(pieces)s. %(side)s moves first.") % facts
    return f"{sentence} {capfirst(words.who_wins(variant))}."


_BOARDS = {
    Grid.CHECKERED: lambda: _("squares of one colour of a board of %(width)s by %(height)s"),
    Grid.FULL: lambda: _("every square of a board of %(width)s by %(height)s"),
    Grid.LINES: lambda: _("a board of %(width)s by %(height)s points"),
}
