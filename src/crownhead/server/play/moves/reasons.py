"""Why a move that somebody typed cannot be played, in the language of the page."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from crownhead import AmbiguousMove, CrownheadError, Game, IllegalMove, NotationError, Position
from crownhead.server.play.problems import IllegalMove as IllegalMoveProblem

# By the kinds of ``crownhead.notation.explain.Reason``; the squares it names, all or the first and the rest.
_REASONS: Mapping[str, str | Promise] = {
    "over": gettext_lazy("The game is over."),
    "no-square": gettext_lazy("There is no such square on this board."),
    "no-piece": gettext_lazy("There is no piece on %(all)s."),
    "not-yours": gettext_lazy("The piece on %(all)s is your opponent's."),
    "must-remove": gettext_lazy("Remove one of your own pieces: %(all)s."),
    "must-jump": gettext_lazy("You must jump with %(all)s."),
    "cannot-move": gettext_lazy("The piece on %(all)s can't move."),
    "jump-on": gettext_lazy("The jump goes on to %(all)s."),
    "jump-to": gettext_lazy("The piece on %(first)s must jump to %(rest)s."),
    "move-to": gettext_lazy("The piece on %(first)s can go to %(rest)s."),
    "no-way": gettext_lazy("No move from %(first)s to %(rest)s passes these squares."),
}


def play_typed(record: Game, text: str) -> str:
    """Play a move that was typed on a board of one's own; why not, if it cannot be played."""
    try:
        if text:
            record.push(text)
    except CrownheadError as error:
        return IllegalMoveProblem(str(error), reason=why_refused(error, record.position)).message
    return ""


def why_refused(error: CrownheadError, position: Position) -> str:
    """A sentence for the player; empty if there is nothing more to say than that the move is not legal."""
    if isinstance(error, AmbiguousMove):
        return _("Several moves fit. Choose one: %(moves)s.") % {"moves": ", ".join(error.candidates)}
    if isinstance(error, NotationError):
        example = next(iter(position.notations().values()), "")
        return _("Type the squares of a move, such as %(move)s.") % {"move": example} if example else ""
    if isinstance(error, IllegalMove) and error.kind:
        named = error.squares
        facts = {"all": ", ".join(named), "first": named[0] if named else "", "rest": ", ".join(named[1:])}
        return str(_REASONS[error.kind]) % facts
    return ""
