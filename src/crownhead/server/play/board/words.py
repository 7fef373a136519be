"""The words of the game as pages say them: sides, pieces, what a move did, how a game ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.translation import gettext as _

from crownhead import Colour, Move, Termination, Variant
from crownhead.server.play.choices import FORFEIT


def side(colour: Colour, variant: Variant) -> str:
    """What a side is called in a variant."""
    return _("White") if colour is Colour.WHITE else _dark(variant)["black"]


def board_words(variant: Variant) -> dict[str, str]:
    """The phrases that the board element fills in; gaps are written ``{name}``."""
    return {
        **_dark(variant),
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
        **_notes(),
        **_hints(),
        "possible": _("Possible moves: {moves}."),
        "no-moves": _("There is nothing to move now."),
        "start": _("The start of the game."),
        "flipped": _("{side} is at the bottom now."),
        "copied": _("Copied."),
    }


def _dark(variant: Variant) -> dict[str, str]:
    """The darker side and its pieces: the table says what players call them."""
    if variant.dark_name == "Red":
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


def _notes() -> dict[str, str]:
    """What is said of a square besides what stands there."""
    return {
        "movable": _("can move"),
        "removable": _("can be taken off"),
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
        "must-remove": _("Take one of your own pieces off: {squares}."),
        "cannot-move": _("The piece on {square} has no move."),
        "barred": _("The king on {square} has stepped often enough in a row. Move another piece first."),
        "not-yours": _("That is your opponent's piece."),
        "empty-square": _("There is no piece on {square}. Touch one of yours first."),
        "taken-back": _("Taken back."),
        "chosen": _("{move} is on the board, not sent yet."),
        "may-go-on": _("{move} is on the board. Leave it at that, or go on with the same piece: {squares}."),
        "picked": _("{square} selected. It can go to {squares}."),
        "go-on": _("Go on with the same piece: {squares}."),
        "naming": _("Type the name of a square."),
        **_premoves(),
    }


def _premoves() -> dict[str, str]:
    """What is said of a move that is chosen before it is one's turn."""
    return {
        "premove-from": _("{square} selected. Touch where it is to go once it is your turn."),
        "premove": _(
            "{origin} to {target} will be played as soon as it can be. Touch the board to take it back."
        ),
        "premove-lost": _("The move you chose beforehand cannot be played now."),
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
        return _("%(side)s takes the piece on %(origin)s off.") % facts
    if move.captures:
        sentence = _("%(side)s jumps %(origin)s to %(target)s, takes %(squares)s.") % facts
    else:
        sentence = _("%(side)s moves %(origin)s to %(target)s.") % facts
    return f"{sentence} {_('Crowned.')}" if move.crowns else sentence


def takes_itself_off(move: Move) -> bool:
    """The piece goes nowhere: its own side takes it from the board."""
    return move.captures == move.path[:1]


def result_sentence(*, variant: Variant, winner: Colour | None, termination: str) -> str:
    """How a game ended, in a sentence: ``White wins: Red resigned.``."""
    if winner is None:
        return _DRAWN.get(termination, lambda: _("The game is drawn."))()
    facts = {"winner": side(winner, variant), "loser": side(winner.opponent, variant)}
    return _WON.get(termination, lambda: _("%(winner)s wins."))() % facts


_WON: dict[str, Callable[[], str]] = {
    Termination.NO_PIECES: lambda: _("%(winner)s wins: one side has no pieces left."),
    Termination.NO_MOVES: lambda: _("%(winner)s wins: the side to move is stuck."),
    Termination.MULES_LOST: lambda: _("%(winner)s wins, having lost all the mules."),
    Termination.MEN_LOST: lambda: _("%(winner)s wins: %(loser)s has only mules left."),
    Termination.MULE_CROWNED: lambda: _("%(winner)s wins: a mule of %(loser)s was crowned."),
    Termination.FIRST_KING: lambda: _("%(winner)s wins with the first king."),
    Termination.RESIGNATION: lambda: _("%(winner)s wins: %(loser)s resigned."),
    Termination.TIME: lambda: _("%(winner)s wins: %(loser)s ran out of time."),
    Termination.ADJUDICATION: lambda: _("%(winner)s wins, as the staff decided."),
    FORFEIT: lambda: _("%(winner)s wins: the game was declared lost for %(loser)s."),
}
_DRAWN: dict[str, Callable[[], str]] = {
    Termination.REPETITION: lambda: _("Draw: the same position stood too often."),
    Termination.NO_PROGRESS: lambda: _("Draw: too many moves without progress."),
    Termination.AGREEMENT: lambda: _("Draw by agreement."),
    Termination.ADJUDICATION: lambda: _("Draw, as the staff decided."),
    FORFEIT: lambda: _("The game was declared lost for both."),
}
