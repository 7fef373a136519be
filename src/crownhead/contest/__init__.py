"""Contests between players of any game: ratings, pairings, ladders and tie-breaks.

This package is pure: it has no clock, no randomness, no storage and no draughts. The caller stores the data,
builds a ``Contest`` from it whenever something has changed, and asks its format what comes next::

    from crownhead.contest import Contest, Finished, Pair, Player, Wait, formats

    contest = Contest("swiss", players=(Player("ann", rating=1800), ...), options={"rounds": 7}, dice=7)
    match formats.next_step(contest):
        case Pair(round): ...      # keep round.pairings; start pairing.due() of each; ask again
        case Wait(why, sentence):  # games are in progress: ask again when one has ended
            ...
        case Finished(tables, winners): ...

The answer depends only on the contest, so it is harmless to ask twice or on two workers: store each round
under a unique (contest, number) and a second one is rejected. When a game ends, put its ``points`` into the
``games`` of its pairing, ask ``pairing.due()`` for further games (matches, replays), and ask for the next
step again.

``model``       players, games, pairings, rounds, tables, steps
``formats``     ``FORMATS``: sections, round-robin, swiss, single-elimination, double-elimination, arena
``tie_breaks``  values that decide between players with equal points
``glicko2``     ratings, updated after every game
``ladders``     ``places`` (take the place of the player you beat) and ``stairs`` (up a step, down a step)
``team_match``  the boards of two teams; ``appointments``: agreeing on a time to play live
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
