"""The rules of a variant in short form, written out from its row of the table."""

from __future__ import annotations

from django.utils.translation import gettext as _

from crownhead import Position, Variant
from crownhead.rules.schema import Objective, Priority, Promotion
from crownhead.server.play.boards import Diagram, diagram
from crownhead.server.play.words import draw_rules_sentence, side


def start_board(variant: Variant) -> Diagram:
    """The start array from the side that begins."""
    return diagram(Position.start(variant), bottom=variant.start.first)


def facts_of(variant: Variant) -> list[tuple[str, str]]:
    """Questions and answers about a variant."""
    rules = variant.rules
    return [
        (_("Board"), _board(variant)),
        (_("First move"), _first(variant)),
        (_("Men"), _men(variant)),
        (_("Kings"), _("fly any distance") if rules.flying_king else _("one square in every direction")),
        (_("Which capture"), _which(rules.priority)),
        (_("Reaching the far row while capturing"), _PROMOTION[rules.promotion]()),
        (_("Who wins"), _OBJECTIVE[rules.objective]()),
        (_("Draws"), draw_rules_sentence(variant.draws)),
    ]


def _board(variant: Variant) -> str:
    corner = _("left") if variant.board.left_corner else _("right")
    return _(
        "%(width)s by %(height)s, %(men)s pieces a side; the corner at each player's %(corner)s is played"
    ) % {
        "width": variant.board.width,
        "height": variant.board.height,
        "men": len(variant.start.white),
        "corner": corner,
    }


def _first(variant: Variant) -> str:
    who = side(variant.start.first)
    if variant.opening_plies:
        return _("%(side)s; the first %(count)s moves are drawn from a deck of openings") % {
            "side": who,
            "count": variant.opening_plies,
        }
    return who


def _men(variant: Variant) -> str:
    backward = variant.rules.man_captures_backward
    text = _("step forward, capture forward and backward") if backward else _("step and capture forward only")
    return text if variant.rules.man_captures_king else f"{text}; {_('they cannot take kings')}"


def _which(priority: tuple[Priority, ...]) -> str:
    if not priority:
        return _("compulsory, but free to choose; it must be carried through")
    return _("compulsory: %(order)s") % {"order": _(", then ").join(_PRIORITY[key]() for key in priority)}


_PRIORITY = {
    Priority.MOST_PIECES: lambda: _("the one that takes most pieces"),
    Priority.WITH_KING: lambda: _("the one by a king"),
    Priority.MOST_KINGS: lambda: _("the one that takes most kings"),
    Priority.KINGS_FIRST: lambda: _("the one that meets a king earliest"),
}
_PROMOTION = {
    Promotion.STOP: lambda: _("the man is crowned and the move ends"),
    Promotion.PASS: lambda: _("the man goes on capturing if it can, and is crowned only if it ends there"),
    Promotion.CONTINUE: lambda: _("the man is crowned at once and goes on capturing as a king"),
}
_OBJECTIVE = {
    Objective.OPPONENT_WINS: lambda: _("who has no piece or no move loses"),
    Objective.MOVER_WINS: lambda: _("who has no piece or no move wins"),
    Objective.FIRST_KING: lambda: _("who crowns a man first; who has no piece or no move before that loses"),
}
