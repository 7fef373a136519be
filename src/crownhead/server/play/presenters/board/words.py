"""The words of the game as pages say them: sides, pieces, what a move did, how a game ended."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from crownhead import Colour, Move, Termination, Variant
from crownhead.rules.schema import Priority
from crownhead.server.play.choices import ABANDONED, ABORTED, FORFEIT, LENGTH, NO_SHOW, TOO_MANY_MOVES

_CAPTURE_LAWS: Mapping[Priority, str | Promise] = {
    Priority.MAX_PIECES: gettext_lazy("The capture that takes the most pieces is compulsory."),
    Priority.MAX_VALUE: gettext_lazy(
        "The most valuable capture is compulsory, a king counting a little less than two men."
    ),
    Priority.WITH_KING: gettext_lazy("The capture made by a king is compulsory."),
    Priority.MAX_KINGS: gettext_lazy("The capture that takes the most kings is compulsory."),
    Priority.KINGS_FIRST: gettext_lazy("The capture that takes a king earliest is compulsory."),
}


def side(colour: Colour, variant: Variant) -> str:
    """What a side is called in a variant."""
    if colour is Colour.WHITE:
        return _("White")
    return _("Red") if variant.dark_name == "Red" else _("Black")


def capture_law(priority: Priority) -> str:
    """Which of several captures must be made."""
    return str(_CAPTURE_LAWS[priority])


def law_texts(variant: Variant) -> dict[str, str]:
    """What a board says once its script knows the laws; gaps are written ``{name}``."""
    facts = {"first": "{first}", "rest": "{rest}"}
    return {
        **{priority.value: capture_law(priority) for priority in variant.rules.priority},
        "jump-to": _("The piece on %(first)s must jump to %(rest)s.") % facts,
        "could-go": _("If it were your turn, it could go to {squares}."),
    }


def board_texts(variant: Variant) -> dict[str, str]:
    """The phrases that the board element fills in; gaps are written ``{name}``. Only to look at."""
    return _board_texts(variant.dark_name, get_language() or "")


@lru_cache(maxsize=64)
def _board_texts(dark_name: str, _language: str) -> dict[str, str]:
    return {
        **_dark(dark_name),
        "white": _("White"),
        "white-man": _("white man"),
        "white-king": _("white king"),
        "white-mule": _("white mule"),
        "white-parachutist": _("white parachutist"),
        "list-man": _("men {squares}"),
        "list-king": _("kings {squares}"),
        "list-mule": _("mules {squares}"),
        "list-parachutist": _("parachutists {squares}"),
        "none": _("none"),
        "empty": _("empty"),
        **_square_notes(),
        **_hints(),
        "possible": _("Possible moves: {moves}."),
        "no-moves": _("No moves available right now."),
        **move_texts(),
        "start": _("Start of the game."),
        "flipped": _("{side} is now at the bottom."),
        "copied": _("Copied."),
    }


def _dark(dark_name: str) -> dict[str, str]:
    """The darker side and its pieces: the table says what players call them."""
    if dark_name == "Red":
        return {
            "black": _("Red"),
            "black-man": _("red man"),
            "black-king": _("red king"),
            "black-mule": _("red mule"),
            "black-parachutist": _("red parachutist"),
        }
    return {
        "black": _("Black"),
        "black-man": _("black man"),
        "black-king": _("black king"),
        "black-mule": _("black mule"),
        "black-parachutist": _("black parachutist"),
    }


def _square_notes() -> dict[str, str]:
    """What is said of a square besides what stands there."""
    return {
        "movable": _("can move"),
        "removable": _("can be removed"),
        "selected": _("selected"),
        "target": _("move target"),
        "jump-target": _("jump target, takes {squares}"),
        "taken": _("taken"),
        "last": _("last move"),
        "conditional": _("planned"),
        "fault": _("not allowed here"),
    }


def _hints() -> dict[str, str]:
    """What a touch has led to, or why to nothing."""
    return {
        "must-jump": _("You must jump with {squares}."),
        "must-remove": _("Remove one of your own pieces: {squares}."),
        "cannot-move": _("The piece on {square} can't move."),
        "barred": _("The king on {square} has moved too many times in a row. Move another piece first."),
        "not-yours": _("That is your opponent's piece."),
        "empty-square": _("There is no piece on {square}. Choose one of yours first."),
        "taken-back": _("Move cancelled."),
        "chosen": _("{move} is on the board but not sent yet."),
        "may-go-on": _("{move} is on the board. Send it, or continue with the same piece: {squares}."),
        "picked": _("{square} selected. It can go to {squares}."),
        "go-on": _("Continue with the same piece: {squares}."),
        "naming": _("Type the name of a square."),
        "marked": _("{square} marked."),
        "unmarked": _("Mark on {square} removed."),
        **_premoves(),
    }


def _premoves() -> dict[str, str]:
    """Texts about a premove."""
    return {
        "premove-from": _("{square} selected. Now choose where it goes on your next turn."),
        "premove": _(
            "{origin} to {target} will be played as soon as it's your turn. Touch the board to cancel."
        ),
        "premove-lost": _("Your premove is no longer possible."),
    }


def move_sentence(*, variant: Variant, colour: Colour, move: Move, names: Mapping[int, str]) -> str:
    """What a move did: ``White jumps 15 to 8, takes 11.``."""
    facts = {
        "side": side(colour, variant),
        "origin": names[move.path[0]],
        "target": names[move.path[-1]],
        "squares": ", ".join(names[square] for square in move.captures),
    }
    if takes_itself_off(move):
        return _("%(side)s removes the piece on %(origin)s.") % facts
    if move.captures:
        sentence = _("%(side)s jumps %(origin)s to %(target)s, takes %(squares)s.") % facts
    else:
        sentence = _("%(side)s moves %(origin)s to %(target)s.") % facts
    return f"{sentence} {_('Crowned.')}" if move.crowns else sentence


def move_texts() -> dict[str, str]:
    """The sentences of ``move_sentence`` for a script; gaps are written ``{name}``."""
    gaps = {name: f"{{{name}}}" for name in ("side", "origin", "target", "squares")}
    return {
        "removes": _("%(side)s removes the piece on %(origin)s.") % gaps,
        "jumps": _("%(side)s jumps %(origin)s to %(target)s, takes %(squares)s.") % gaps,
        "moves": _("%(side)s moves %(origin)s to %(target)s.") % gaps,
        "crowned": _("Crowned."),
    }


def takes_itself_off(move: Move) -> bool:
    """The piece goes nowhere: its own side takes it from the board."""
    return move.captures == move.path[:1]


def turn_sentence(colour: Colour, variant: Variant) -> str:
    """Say whose turn it is."""
    return _("%(side)s to move.") % {"side": side(colour, variant)}


def first_move_sentence(minutes: int) -> str:
    """How soon a player of a live game must come to the board."""
    return ngettext(
        "Make your first move within %(minutes)s minute of your turn, or you lose the game.",
        "Make your first move within %(minutes)s minutes of your turn, or you lose the game.",
        minutes,
    ) % {"minutes": minutes}


# The causes for which a position decides a game by itself.
WON_ON_THE_BOARD = (
    Termination.NO_PIECES,
    Termination.NO_MOVES,
    Termination.MULES_LOST,
    Termination.MEN_LOST,
    Termination.MULE_CROWNED,
    Termination.FIRST_KING,
)


def decision_reason(reason: str, *, loser: str = "") -> str:
    """Why a game was decided: in the words of who decided it, or the club's in the reader's language.

    ``loser``: the name of who did not come; empty for the reader.
    """
    if reason != NO_SHOW:
        return reason
    if not loser:
        return _("You did not come to the board in time.")
    return _("%(name)s did not come to the board in time.") % {"name": loser}


def result_sentence(
    *, variant: Variant, winner: Colour | None, termination: str, reader: Colour | None = None
) -> str:
    """Return a sentence on how a game ended, such as ``White wins by resignation.``.

    ``reader`` is the side of the person who reads it, if they played: ``You won by resignation.``
    """
    if winner is None:
        return str(_DRAWN.get(termination, gettext_lazy("The game is drawn.")))
    neutral, won, lost = _DECIDED.get(termination, _WINS)
    if reader is not None:
        return str(won if reader is winner else lost)
    return str(neutral) % {"winner": side(winner, variant), "loser": side(winner.opponent, variant)}


# For everybody else, for the winner and for the loser.
_WINS = (gettext_lazy("%(winner)s wins."), gettext_lazy("You won."), gettext_lazy("You lost."))
_DECIDED = {
    Termination.NO_PIECES: (
        gettext_lazy("%(winner)s wins: one side has no pieces left."),
        gettext_lazy("You won: one side has no pieces left."),
        gettext_lazy("You lost: one side has no pieces left."),
    ),
    Termination.NO_MOVES: (
        gettext_lazy("%(winner)s wins: the side to move has no moves."),
        gettext_lazy("You won: the side to move has no moves."),
        gettext_lazy("You lost: the side to move has no moves."),
    ),
    Termination.MULES_LOST: (
        gettext_lazy("%(winner)s wins by losing all its mules."),
        gettext_lazy("You won by losing all your mules."),
        gettext_lazy("You lost: your opponent has lost all their mules."),
    ),
    Termination.MEN_LOST: (
        gettext_lazy("%(winner)s wins: %(loser)s has only mules left."),
        gettext_lazy("You won: your opponent has only mules left."),
        gettext_lazy("You lost: you have only mules left."),
    ),
    Termination.MULE_CROWNED: (
        gettext_lazy("%(winner)s wins: %(loser)s crowned a mule."),
        gettext_lazy("You won: your opponent crowned a mule."),
        gettext_lazy("You lost: you crowned a mule."),
    ),
    Termination.FIRST_KING: (
        gettext_lazy("%(winner)s wins with the first king."),
        gettext_lazy("You won with the first king."),
        gettext_lazy("You lost: your opponent got the first king."),
    ),
    Termination.RESIGNATION: (
        gettext_lazy("%(winner)s wins by resignation."),
        gettext_lazy("You won by resignation."),
        gettext_lazy("You lost by resignation."),
    ),
    Termination.TIME: (
        gettext_lazy("%(winner)s wins on time."),
        gettext_lazy("You won on time."),
        gettext_lazy("You lost on time."),
    ),
    Termination.ADJUDICATION: (
        gettext_lazy("%(winner)s wins by adjudication."),
        gettext_lazy("You won by adjudication."),
        gettext_lazy("You lost by adjudication."),
    ),
    FORFEIT: (
        gettext_lazy("%(winner)s wins by forfeit."),
        gettext_lazy("You won by forfeit."),
        gettext_lazy("You lost by forfeit."),
    ),
    ABANDONED: (
        gettext_lazy("%(winner)s wins: %(loser)s left the game."),
        gettext_lazy("You won: your opponent left the game."),
        gettext_lazy("You lost: you left the game."),
    ),
}
_DRAWN = {
    Termination.REPETITION: gettext_lazy("Draw by repetition."),
    Termination.NO_PROGRESS: gettext_lazy("Draw: too many moves without progress."),
    Termination.AGREEMENT: gettext_lazy("Draw by agreement."),
    Termination.ADJUDICATION: gettext_lazy("Draw by adjudication."),
    LENGTH: gettext_lazy("Draw: the game reached the maximum length."),
    TOO_MANY_MOVES: gettext_lazy("Draw: this position has too many possible moves to go on."),
    ABORTED: gettext_lazy("The game was aborted. It doesn't count."),
    FORFEIT: gettext_lazy("Both players lose by forfeit."),
}
