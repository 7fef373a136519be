"""The words of the game as pages say them: sides, pieces, what a move did, how a game ended."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Protocol

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from crownhead import Colour, Termination
from crownhead.rules.schema import (
    BalanceDraw,
    DrawRule,
    DrawRules,
    MaterialDraw,
    NoProgressDraw,
    RepetitionDraw,
)


class MoveShape(Protocol):
    """What a sentence needs to know of a move."""

    @property
    def path(self) -> tuple[int, ...]:
        """Origin, landings, target."""

    @property
    def captures(self) -> tuple[int, ...]:
        """The squares taken from, in order."""


def side(colour: Colour) -> str:
    """What a side is called, after its pieces on the official board: red and white."""
    return _("Red") if colour is Colour.BLACK else _("White")


def board_words() -> dict[str, str]:
    """The phrases that the board element fills in; gaps are written ``{name}``."""
    return {
        "black": _("Red"),
        "white": _("White"),
        "black-man": _("red man"),
        "black-king": _("red king"),
        "black-mule": _("red mule"),
        "white-man": _("white man"),
        "white-king": _("white king"),
        "white-mule": _("white mule"),
        "list-man": _("men {squares}"),
        "list-king": _("kings {squares}"),
        "list-mule": _("mules {squares}"),
        "none": _("none"),
        "empty": _("empty"),
        "movable": _("can move"),
        "selected": _("selected"),
        "target": _("move target"),
        "jump-target": _("jump target, takes {squares}"),
        "taken": _("taken"),
        "last": _("last move"),
        "must-jump": _("You must jump with {squares}."),
        "cannot-move": _("The piece on {square} has no move."),
        "not-yours": _("That is your opponent's piece."),
        "empty-square": _("There is no piece on {square}. Touch one of yours first."),
        "taken-back": _("Taken back."),
        "chosen": _("{move} is on the board, not sent yet."),
        "picked": _("{square} selected. It can go to {squares}."),
        "go-on": _("Go on with the same piece: {squares}."),
        "possible": _("Possible moves: {moves}."),
        "no-moves": _("There is nothing to move now."),
        "start": _("The start of the game."),
        "flipped": _("{side} is at the bottom now."),
        "copied": _("Copied."),
    }


def move_sentence(*, colour: Colour, move: MoveShape, crowns: bool, names: Mapping[int, str]) -> str:
    """What a move did: ``White jumps 15 to 8, takes 11.``."""
    facts = {"side": side(colour), "origin": names[move.path[0]], "target": names[move.path[-1]]}
    if move.captures:
        facts["squares"] = ", ".join(names[square] for square in move.captures)
        sentence = _("%(side)s jumps %(origin)s to %(target)s, takes %(squares)s.") % facts
    else:
        sentence = _("%(side)s moves %(origin)s to %(target)s.") % facts
    return f"{sentence} {_('Crowned.')}" if crowns else sentence


def result_sentence(*, winner: Colour | None, termination: str) -> str:
    """How a game ended, in a sentence: ``White wins: Red resigned.``."""
    if winner is None:
        return _DRAWN.get(termination, lambda: _("The game is drawn."))()
    facts = {"winner": side(winner), "loser": side(winner.opponent)}
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
}
_DRAWN: dict[str, Callable[[], str]] = {
    Termination.REPETITION: lambda: _("Draw: the same position stood too often."),
    Termination.NO_PROGRESS: lambda: _("Draw: too many moves without progress."),
    Termination.AGREEMENT: lambda: _("Draw by agreement."),
    Termination.ADJUDICATION: lambda: _("Draw, as the staff decided."),
}


def draw_rules_sentence(rules: DrawRules) -> str:
    """What a set of draw rules says, in a sentence or two."""
    return " ".join(_draw_rule(rule) for rule in rules.rules)


def _draw_rule(rule: DrawRule) -> str:
    if isinstance(rule, RepetitionDraw):
        facts = {"count": rule.times}
        return (
            _("The same position %(count)s times is a draw.") % facts
            if rule.automatic
            else _("The same position %(count)s times lets a player claim a draw.") % facts
        )
    if isinstance(rule, NoProgressDraw):
        return _no_progress(rule)
    return _lasting(rule)


def _no_progress(rule: NoProgressDraw) -> str:
    facts = {"count": rule.moves_each}
    return (
        ngettext(
            "%(count)s move by each side without progress is a draw.",
            "%(count)s moves by each side without progress are a draw.",
            rule.moves_each,
        )
        % facts
        if rule.automatic
        else _("%(count)s moves by each side without progress let a player claim a draw.") % facts
    )


def _lasting(rule: MaterialDraw | BalanceDraw) -> str:
    facts = {"what": _forces(rule), "count": rule.moves_each}
    if rule.automatic:
        return _("%(what)s: a draw after %(count)s moves by each side.") % facts
    return _("%(what)s: after %(count)s moves by each side a player may claim a draw.") % facts


def _forces(rule: MaterialDraw | BalanceDraw) -> str:
    if isinstance(rule, BalanceDraw):
        fewest, most = rule.pieces
        return _("Kings on both sides, %(fewest)s to %(most)s pieces in all, none taken or crowned") % {
            "fewest": fewest,
            "most": most,
        }
    facts = {"strong": _either(rule.strong), "weak": _either(rule.weak)}
    if rule.on_main_road:
        return _("%(strong)s against %(weak)s on the long diagonal") % facts
    return _("%(strong)s against %(weak)s") % facts


def _either(forces: Collection[str]) -> str:
    """Forces in words: kings alone, or pieces with a king among them."""
    sizes = {len(force) for force in forces}
    if not any("M" in force for force in forces):
        return _kings(min(sizes), max(sizes))
    if min(sizes) == max(sizes):
        return _("%(count)s pieces with a king") % {"count": min(sizes)}
    return _("%(count)s pieces or fewer with a king") % {"count": max(sizes)}


def _kings(fewest: int, most: int) -> str:
    if fewest < most:
        return _("%(count)s kings or more") % {"count": fewest}
    return ngettext("%(count)s king", "%(count)s kings", most) % {"count": most}
