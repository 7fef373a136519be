"""PDN results; the first number is the score of the side that begins the variant."""

from __future__ import annotations

from crownhead.rules.outcome import Outcome, Termination
from crownhead.rules.schema import Colour, Variant

UNFINISHED = "*"
BOTH_LOST = "0-0"

SEPARATORS = ("1-0", "1/2-1/2", "0-1", "2-0", "1-1", "0-2", BOTH_LOST, UNFINISHED)  # PDN 3.0, reading

_FIRST_WON = ("1-0", "2-0", "1:0", "2:0")
_SECOND_WON = ("0-1", "0-2", "0:1", "0:2")
_DRAWN = ("1/2-1/2", "1-1", "1/2", "1/2:1/2", "1:1", "½-½", "½–½", "½", "0.5-0.5")
_TWO_POINTS = {"1-0": "2-0", "0-1": "0-2", "1/2-1/2": "1-1"}
_TWO_POINT_TYPES = (20, 27)  # PDN 3.0, GameTypes whose games are worth two points

_BY_DECLARATION = {  # terminations that a record can state, and whether there can be a winner
    Termination.REPETITION: (False,),
    Termination.NO_PROGRESS: (False,),
    Termination.AGREEMENT: (False,),
    Termination.RESIGNATION: (True,),
    Termination.TIME: (True,),
    Termination.ADJUDICATION: (True, False),
}


def is_known(text: str) -> bool:
    """Whether ``text`` is a decided result."""
    return text in _FIRST_WON or text in _SECOND_WON or text in _DRAWN


def meaning(text: str) -> float | None:
    """Return the score of the side that begins, from 0 to 1; None if ``text`` is not a decided result."""
    return 1.0 if text in _FIRST_WON else 0.0 if text in _SECOND_WON else 0.5 if text in _DRAWN else None


def outcome_of(text: str, *, variant: Variant, termination: str) -> Outcome | None:
    """Return the outcome for a result; ``termination`` is used if it is consistent with the result."""
    if not is_known(text):
        return None
    winner = _winner(text, variant.start.first)
    for kind, decisive in _BY_DECLARATION.items():
        if kind.value == termination.strip().lower() and (winner is not None) in decisive:
            return Outcome(winner, kind)
    return Outcome(winner, Termination.UNKNOWN)


def is_declared(outcome: Outcome) -> bool:
    """Whether the outcome was declared with a reason and does not follow from the moves."""
    return outcome.termination in _BY_DECLARATION


def as_text(result: str, variant: Variant) -> str:
    """Convert ``1-0``, ``0-1`` or ``1/2-1/2`` to the standard form for the variant's GameType."""
    if variant.notation.game_type in _TWO_POINT_TYPES:
        return _TWO_POINTS.get(result, result)
    return result


def _winner(text: str, first: Colour) -> Colour | None:
    if text in _DRAWN:
        return None
    return first if text in _FIRST_WON else first.opponent
