"""Stairs: everybody starts on step 1; a win leads a step up, a loss a step down.

The rules are those of BrainKing. Players can challenge somebody on their own step or up to three below, never
above. They can have one open challenge that they made and one that they received, so somebody who has been
challenged cannot be challenged again. Two players cannot meet while they have a game in progress, nor within
fourteen days of the last one. The steps won and lost do not depend on the opponent's step; a draw changes
nothing, and nobody falls below step 1. A player who loses on time or gives up before playing goes back to
step 1. From time to time the host may remove empty steps.
"""

from __future__ import annotations

from collections.abc import Mapping

from crownhead.contest.errors import ContestError
from crownhead.contest.ladders.challenges import Challenger, Ending, Refusal

BEGINNING = 1
BELOW = 3  # steps below one's own
OWN = 1  # open challenges made, and the same number received
REST = 14.0  # days before the same players can meet again


def refusal(
    challenger: Challenger, challenged: Challenger, *, below: int = BELOW, rest: float = REST
) -> Refusal | None:
    """Return why the challenge is not allowed, or None if it is."""
    lower = challenger.rank - challenged.rank
    days = min(challenger.met.get(challenged.key, rest), challenged.met.get(challenger.key, rest))
    reasons = (
        (challenger.key == challenged.key, Refusal.SELF),
        (challenged.away, Refusal.AWAY),
        (challenger.plays(challenged.key), Refusal.OPEN_BETWEEN),
        (lower < 0, Refusal.TOO_HIGH),
        (lower > below, Refusal.TOO_LOW),
        (days < rest, Refusal.MET_LATELY),
        (len(challenger.challenging) >= OWN, Refusal.OWN_CHALLENGES),
        (len(challenged.challenged_by) >= OWN, Refusal.CHALLENGED_ALREADY),
    )
    return next((reason for holds, reason in reasons if holds), None)


def reachable(rank: int, *, below: int = BELOW) -> range:
    """Return the steps that can be challenged from a step, lowest first."""
    return range(max(BEGINNING, rank - below), rank + 1)


def new_ranks(winner: int, loser: int, ending: Ending) -> tuple[int, int]:
    """Return the steps of winner and loser after a challenge; raises ``ContestError`` for a step below 1."""
    if min(winner, loser) < BEGINNING:
        raise ContestError(f"expected steps from {BEGINNING}, got {winner} and {loser}")
    if ending in (Ending.DRAWN, Ending.VOID):
        return winner, loser
    return winner + 1, BEGINNING if ending is Ending.FLED else max(loser - 1, BEGINNING)


def without_gaps(steps: Mapping[str, int]) -> dict[str, int]:
    """Return everybody's step after removing empty steps; the order stays the same."""
    taken = {step: place for place, step in enumerate(sorted(set(steps.values())), BEGINNING)}
    return {key: taken[step] for key, step in steps.items()}
