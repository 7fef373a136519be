"""A ladder of places: everybody has one of his own, and who beats somebody above him takes it.

The rules are those of ItsYourTurn. One challenges anybody up to twenty places above or below, with at most
two open challenges of one's own; those that others have made do not count. The challenged cannot decline,
so nobody on vacation is challenged. When the lower of two wins, he takes the higher one's place, and
everybody from there down to where he came from moves down by one. A win of the higher one and a draw move
nobody. Who loses by time, or gives up before the game is played, goes to the last place, whoever won.
"""

from __future__ import annotations

from collections.abc import Sequence

from crownhead.contest.errors import ContestError
from crownhead.contest.ladders.challenges import Challenger, Ending, Move, Refusal

REACH = 20  # places above and below
OWN = 2  # open challenges of one's own


def refusal(
    challenger: Challenger, challenged: Challenger, *, reach: int = REACH, own: int = OWN
) -> Refusal | None:
    """Why the challenge cannot be made; None where it can."""
    up = challenger.rank - challenged.rank
    reasons = (
        (challenger.key == challenged.key, Refusal.SELF),
        (challenged.away, Refusal.AWAY),
        (challenger.plays(challenged.key), Refusal.OPEN_BETWEEN),
        (up > reach, Refusal.TOO_HIGH),
        (-up > reach, Refusal.TOO_LOW),
        (len(challenger.challenging) >= own, Refusal.OWN_CHALLENGES),
    )
    return next((reason for holds, reason in reasons if holds), None)


def reachable(rank: int, size: int, *, reach: int = REACH) -> range:
    """The places, the best first, that one may challenge from a place (his own among them)."""
    return range(max(1, rank - reach), min(size, rank + reach) + 1)


def new_ranks(winner: int, loser: int, ending: Ending, *, size: int) -> tuple[int, int]:
    """The places of winner and loser after a challenge that ended so.

    Those between the old place and the new one of each make room by one. Of a draw, either may be named the
    winner. Raises ``ContestError`` on places that the ladder does not have.
    """
    if winner == loser or not (1 <= winner <= size and 1 <= loser <= size):
        raise ContestError(f"expected two places from 1 to {size}, got {winner} and {loser}")
    if ending in (Ending.DRAWN, Ending.VOID):
        return winner, loser
    taken = min(winner, loser)
    if ending is Ending.FLED:
        return taken, size
    return taken, loser + 1 if loser < winner else loser


def after(order: Sequence[str], winner: str, loser: str, ending: Ending) -> tuple[str, ...]:
    """A whole ladder, the best first, after a challenge. Raises ``ContestError`` for a stranger."""
    for key in (winner, loser):
        if key not in order:
            raise ContestError(f"expected a member of the ladder, got {key!r}")
    ranks = new_ranks(order.index(winner) + 1, order.index(loser) + 1, ending, size=len(order))
    changed = list(order)
    for key, rank in ((winner, ranks[0]), (loser, ranks[1])):
        changed.remove(key)
        changed.insert(rank - 1, key)
    return tuple(changed)


def without(order: Sequence[str], key: str) -> tuple[str, ...]:
    """A ladder that somebody has left: those below him move up."""
    return tuple(other for other in order if other != key)


def changes(before: Sequence[str], now: Sequence[str]) -> tuple[Move, ...]:
    """Whom it has moved, the best first; who has come or gone is not among them."""
    places = {key: rank for rank, key in enumerate(before, 1)}
    return tuple(
        Move(key, places[key], rank)
        for rank, key in enumerate(now, 1)
        if key in places and places[key] != rank
    )
