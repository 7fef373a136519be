"""Contests between players, whatever they play: ratings, pairings, ladders, tie-breaks.

This room is pure: no clock, no chance, no storage and no draughts. A caller keeps the rows, builds a
``Contest`` from them whenever something has happened, and asks its format what comes next::

    from crownhead.contest import Contest, Finished, Pair, Player, Wait, formats

    contest = Contest("swiss", players=(Player("ann", rating=1800), ...), options={"rounds": 7}, dice=7)
    match formats.next_step(contest):
        case Pair(round): ...      # keep round.pairings; start pairing.due() of each; ask again
        case Wait(why, sentence):  # games go on: ask again when one has ended
            ...
        case Finished(tables, winners): ...

The answer depends on the contest alone, so asking twice, or on two workers, is harmless: keep a round under a
unique (contest, number) and the second is refused. When a game ends, put its ``points`` into the ``games``
of its pairing, ask ``pairing.due()`` for games that follow (matches, replays), and ask for the next step
again.

``model``       players, games, pairings, rounds, tables, steps
``formats``     ``FORMATS``: sections, round-robin, swiss, single-elimination, double-elimination, arena
``tie_breaks``  named values that part equal points, each with a sentence for people
``glicko2``     ratings, after every single game
``ladders``     ``places`` (take the place of whom you beat) and ``stairs`` (up a step, down a step)
``team_match``  boards of two teams; ``appointments``: when two people play live
"""

from __future__ import annotations

from crownhead.contest import formats
from crownhead.contest.errors import BadField, BadOption, BadResult, BadRound, ContestError
from crownhead.contest.model import (
    Bye,
    Contest,
    Finished,
    Game,
    Pair,
    Pairing,
    PlannedGame,
    Player,
    ResultKind,
    Round,
    Row,
    Table,
    Wait,
    WaitReason,
)

__all__ = [
    "BadField",
    "BadOption",
    "BadResult",
    "BadRound",
    "Bye",
    "Contest",
    "ContestError",
    "Finished",
    "Game",
    "Pair",
    "Pairing",
    "PlannedGame",
    "Player",
    "ResultKind",
    "Round",
    "Row",
    "Table",
    "Wait",
    "WaitReason",
    "formats",
]
