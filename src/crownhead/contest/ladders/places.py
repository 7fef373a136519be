"""A ladder of places: every player has a place, and a player who beats somebody higher takes it.

The rules are those of ItsYourTurn. Players can challenge anybody up to twenty places above or below, with at
most two open challenges of their own; challenges received do not count. A challenge cannot be declined,
so players on vacation cannot be challenged. If the lower player wins, they take the higher place, and
everybody in between moves down by one. If the higher player wins or the game is drawn, nobody
moves. A player who loses on time or gives up before the game is played goes to the last place. One rule is
ours: anyone who ends their own challenge like that cannot challenge the same player again for fourteen days.
"""

from __future__ import annotations

from collections.abc import Sequence

from crownhead.contest.errors import ContestError
from crownhead.contest.ladders.challenges import Challenger, Ending, Move, Refusal

REACH = 20  # places above and below
OWN = 2  # open challenges that a player has made
REST = 14.0  # days until a player whom one challenged and fled can be challenged again


def refusal(
    challenger: Challenger,
    challenged: Challenger,
    *,
    reach: int = REACH,
    own: int = OWN,
    rest: float = REST,
) -> Refusal | None:
    """Return why the challenge is not allowed, or None if it is."""
    up = challenger.rank - challenged.rank
    reasons = (
        (challenger.key == challenged.key, Refusal.SELF),
        (challenged.away, Refusal.AWAY),
        (challenger.plays(challenged.key), Refusal.OPEN_BETWEEN),
        (up > reach, Refusal.TOO_HIGH),
        (-up > reach, Refusal.TOO_LOW),
        (challenger.fled.get(challenged.key, rest) < rest, Refusal.MET_LATELY),
        (len(challenger.challenging) >= own, Refusal.OWN_CHALLENGES),
    )
    return next((reason for holds, reason in reasons if holds), None)


def reachable(rank: int, size: int, *, reach: int = REACH) -> range:
    """Return the places that can be challenged from a place, best first (including the place itself)."""
    return range(max(1, rank - reach), min(size, rank + reach) + 1)


def new_ranks(winner: int, loser: int, ending: Ending, *, size: int) -> tuple[int, int]:
    """Return the places of winner and loser after a challenge.

    The players between the old and new places move by one. For a draw, either player may be given as the
    winner. Raises ``ContestError`` for places that the ladder does not have.
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
    """Return the ladder, best first, after a challenge; raises ``ContestError`` for an unknown player."""
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
    """Return the ladder without a player; those below move up."""
    return tuple(other for other in order if other != key)


def changes(before: Sequence[str], now: Sequence[str]) -> tuple[Move, ...]:
    """Return the players whose place has changed, best first, without those who joined or left."""
    places = {key: rank for rank, key in enumerate(before, 1)}
    return tuple(
        Move(key, places[key], rank)
        for rank, key in enumerate(now, 1)
        if key in places and places[key] != rank
    )
