"""What the last position of a reviewed game is worth: its result, where the laws gave it."""

from __future__ import annotations

import crownhead
from crownhead import Colour, Outcome, Termination
from crownhead.engine.report import WON
from crownhead.server.analysis.engine.selectors import first_plies

_CLAIMED = (Termination.REPETITION, Termination.NO_PROGRESS)


def end_of(replay: crownhead.Game, ply: int) -> Outcome | None:
    """How the game ended at a ply by its laws, a draw that was claimed there among them."""
    outcome = first_plies(replay, ply).outcome()
    if outcome is None and ply == len(replay.moves):
        declared = replay.outcome()
        return declared if declared and declared.termination in _CLAIMED else None
    return outcome


def result_of(outcome: Outcome, turn: Colour) -> int:
    """What the end of a game is worth to the side to move: all or nothing."""
    if outcome.winner is None:
        return 0
    return WON if outcome.winner is turn else -WON


def is_counted_out(outcome: Outcome | None) -> bool:
    """Whether a counter of moves ended the game: the last of them is no worse than those before."""
    return outcome is not None and outcome.termination is Termination.NO_PROGRESS
