"""Why a move, a position or a variant that somebody typed is refused, in the language of the page."""

from __future__ import annotations

import re
from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from crownhead import (
    VARIANTS,
    AmbiguousMove,
    Colour,
    CrownheadError,
    Game,
    IllegalMove,
    IllegalPosition,
    NotationError,
    Position,
    TooManyCaptures,
    UnknownVariant,
)
from crownhead.rules.geometry import squares
from crownhead.server.core.problems import LibraryRefusal, Unprocessable
from crownhead.server.core.problems import refusal as library_refusal
from crownhead.server.play.presenters.board.words import capture_law, side
from crownhead.server.play.presenters.variant_texts import variant_name
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

# What the kernel objects to, by the beginning of its sentence.
_FAULTS: Mapping[re.Pattern[str], str | Promise] = {
    re.compile(r"expected no (?P<side>white|black) man on square (?P<square>\d+)"): gettext_lazy(
        "A man of %(side)s can't stand on %(square)s: it would have been crowned there."
    ),
    re.compile(r"expected one piece on square (?P<square>\d+)"): gettext_lazy(
        "There are two pieces on %(square)s."
    ),
    re.compile(r"expected a (?P<side>white|black) parachutist .* on square (?P<square>\d+)"): gettext_lazy(
        "A parachutist of %(side)s waits on its far row, not on %(square)s."
    ),
}
_EXAMPLE = "W:W21,22,K30:B1,2"
_LONGEST = 20  # characters of a FEN or a name that are shown again


def refusal(error: CrownheadError, position: Position | None = None) -> Unprocessable:
    """The problem of what the rules or the notation refuse, with a sentence for people.

    ``position``: where a move could not be made, if it is about a move.
    """
    if isinstance(error, TooManyCaptures):
        return library_refusal(error)
    if position is not None:
        return LibraryRefusal(str(error), _why_not_played(error, position))
    message = _why_not_read(error)
    return LibraryRefusal(str(error), message) if message else library_refusal(error)


def position_fault(error: IllegalPosition) -> str:
    """What is wrong with an arrangement of pieces, with the variant's names of sides and squares."""
    row = error.variant
    if row is None:
        return ""
    for pattern, sentence in _FAULTS.items():
        if found := pattern.match(error.fault):
            facts = found.groupdict()
            names = {str(at.number): at.name for at in squares(row.board, row.notation).values()}
            facts["square"] = names.get(facts["square"], facts["square"])
            if "side" in facts:
                facts["side"] = side(Colour(facts["side"]), row)
            return str(sentence) % facts
    return ""


def fault_sentences() -> list[tuple[str, str]]:
    """What the kernel objects to and what is said of it, for a script: a pattern, and a sentence with gaps.

    The gaps are groups of the pattern, written ``{side}`` and ``{square}``.
    """
    gaps = {"side": "{side}", "square": "{square}"}
    return [(pattern.pattern.replace("(?P<", "(?<"), str(text) % gaps) for pattern, text in _FAULTS.items()]


def _why_not_played(error: CrownheadError, position: Position) -> str:
    """Why a move among others cannot be made, which is named for that."""
    move = getattr(error, "move", getattr(error, "text", ""))
    sentence = _("“%(move)s” is not legal here.") % {"move": _shortened(str(move))}
    return f"{sentence} {why_refused(error, position)}".rstrip()


def _why_not_read(error: CrownheadError) -> str:
    """Why there is no such variant or position; empty where the library alone can say it."""
    match error:
        case UnknownVariant():
            return _no_variant(error)
        case IllegalPosition(variant=row) if row is not None:
            sentence = _("This position is not possible in %(variant)s.") % {"variant": variant_name(row)}
            return f"{sentence} {position_fault(error)}".rstrip()
        case NotationError():
            rest = str(error.text)[(error.column or 1) - 1 :]
            facts = {"rest": _shortened(rest), "example": _EXAMPLE}
            if rest:
                return _("This isn't a position we can read: check “%(rest)s”. Example: %(example)s") % facts
            return _("This isn't a position we can read: its end is missing. Example: %(example)s") % facts
    return ""


def _no_variant(error: UnknownVariant) -> str:
    facts = {"name": _shortened(str(error.key))}
    if error.suggestion:
        facts["variant"] = variant_name(VARIANTS[error.suggestion])
        return _("There is no variant called “%(name)s”. Did you mean %(variant)s?") % facts
    return _("There is no variant called “%(name)s”.") % facts


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


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
        moves = position.notations().items()
        example = next((text for move, text in moves if move.path[0] != move.path[-1]), "")
        return _("Type the squares of a move, such as %(move)s.") % {"move": example} if example else ""
    if isinstance(error, IllegalMove) and error.kind:
        named = error.squares
        facts = {"all": ", ".join(named), "first": named[0] if named else "", "rest": ", ".join(named[1:])}
        law = [] if error.priority is None else [capture_law(error.priority)]
        return " ".join((*law, str(_REASONS[error.kind]) % facts))
    return ""
