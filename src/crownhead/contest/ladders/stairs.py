"""Stairs: everybody begins on step 1; a win leads a step up, a loss a step down.

The rules are those of BrainKing. One challenges somebody on one's own step or up to three below, never
above. One may have one open challenge that one has made and one that was made to one, so who is challenged
already cannot be challenged again. Two do not meet while a game between them goes on, nor within fourteen
days of the last. Each wins and loses his step whatever step the other stands on; a draw moves nobody, and
nobody falls below step 1. Who loses by time, or gives up before the game is played, goes back to step 1.
Now and then the host may close up the stairs: steps that nobody stands on are taken out.
"""

from __future__ import annotations

from collections.abc import Mapping

from crownhead.contest.errors import ContestError
from crownhead.contest.ladders.challenges import Challenger, Ending, Refusal

BEGINNING = 1
BELOW = 3  # steps below one's own
OWN = 1  # open challenges that one has made, and that were made to one
REST = 14.0  # days between two meetings of the same players


def refusal(
    challenger: Challenger, challenged: Challenger, *, below: int = BELOW, rest: float = REST
) -> Refusal | None:
    """Why the challenge cannot be made; None where it can."""
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
    """The steps, the lowest first, that one may challenge from a step."""
    return range(max(BEGINNING, rank - below), rank + 1)


def new_ranks(winner: int, loser: int, ending: Ending) -> tuple[int, int]:
    """The steps of winner and loser after a challenge. Raises ``ContestError`` on a step below 1."""
    if min(winner, loser) < BEGINNING:
        raise ContestError(f"expected steps from {BEGINNING}, got {winner} and {loser}")
    if ending in (Ending.DRAWN, Ending.VOID):
        return winner, loser
    return winner + 1, BEGINNING if ending is Ending.FLED else max(loser - 1, BEGINNING)


def without_gaps(steps: Mapping[str, int]) -> dict[str, int]:
    """The steps of all members without those that nobody stands on; the order stays."""
    taken = {step: place for place, step in enumerate(sorted(set(steps.values())), BEGINNING)}
    return {key: taken[step] for key, step in steps.items()}
