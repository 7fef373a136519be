"""One interface to the two styles of ladders in ``crownhead.contest.ladders``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from enum import StrEnum

from crownhead.contest import ladders
from crownhead.contest.ladders import Challenger, Ending, places, stairs
from crownhead.server.ladders.choices import Outcome, Side, Style

MOST_RECEIVED = 8  # open challenges to one member of a ladder of places, who cannot decline them
MOST_RETURNED = 4  # of these from members who had just met them
REST = timedelta(days=max(places.REST, stairs.REST))
NUMBERS: Mapping[str, Mapping[str, int]] = {
    Style.PLACES: {
        "reach": places.REACH,
        "own": places.OWN,
        "days": int(places.REST),
        "received": MOST_RECEIVED,
        "returned": MOST_RETURNED,
    },
    Style.STAIRS: {
        "reach": stairs.BELOW,
        "own": stairs.OWN,
        "days": int(stairs.REST),
        "received": stairs.OWN,
    },
}


class Refusal(StrEnum):
    """Why a player can't be challenged: the club's reasons, and then those of the ladder's rules."""

    CLOSED = "ladder-closed"
    NOT_ON_LADDER = "not-on-ladder"
    GONE = "gone"
    BLOCKED = "ignored"  # the word of the API
    NOT_WELCOME = "not-welcome"
    SELF = ladders.Refusal.SELF.value
    AWAY = ladders.Refusal.AWAY.value
    TOO_HIGH = ladders.Refusal.TOO_HIGH.value
    TOO_LOW = ladders.Refusal.TOO_LOW.value
    OPEN_BETWEEN = ladders.Refusal.OPEN_BETWEEN.value
    OWN_CHALLENGES = ladders.Refusal.OWN_CHALLENGES.value
    CHALLENGED_ALREADY = ladders.Refusal.CHALLENGED_ALREADY.value
    MET_LATELY = ladders.Refusal.MET_LATELY.value


def refusal(
    style: str, challenger: Challenger, challenged: Challenger, *, returned: int = 0
) -> Refusal | None:
    """Why the rules refuse a challenge; None if they allow it.

    The rules of places count no challenges received; that there are not too many of them is a rule of ours,
    and that not all are from the same few: ``returned`` are from members who had just met the challenged one.
    """
    rules = stairs.refusal if style == Style.STAIRS else places.refusal
    reason = rules(challenger, challenged)
    if reason is None and style == Style.PLACES:
        many = len(challenged.challenged_by) >= MOST_RECEIVED
        if many or (challenged.key in challenger.met and returned >= MOST_RETURNED):
            return Refusal.CHALLENGED_ALREADY
    return None if reason is None else Refusal(reason.value)


def moved(style: str, *, winner: int, loser: int, ending: Ending, size: int) -> tuple[int, int]:
    """The new ranks of winner and loser after a challenge; the winner moves first."""
    if style == Style.STAIRS:
        return stairs.new_ranks(winner, loser, ending)
    return places.new_ranks(winner, loser, ending, size=size)


def outcome_of(games: Sequence[tuple[tuple[int, int] | None, str]]) -> tuple[Outcome, Ending]:
    """The outcome of a challenge for the challenger, and how it ended.

    ``games``: the points of challenger and challenged in halves, None without a result, and the side that did
    not finish the game, if any. With equal points such a side loses.
    """
    counted = [points for points, _ in games if points is not None]
    mine, theirs = (sum(points[side] for points in counted) for side in (0, 1))
    fled = {side for points, side in games if side and points is not None}
    if mine + theirs == 0:
        return Outcome.VOID, Ending.VOID
    if mine == theirs and len(fled) != 1:
        return Outcome.DRAWN, Ending.DRAWN
    won = Side.CHALLENGED in fled if mine == theirs else mine > theirs
    loser = Side.CHALLENGED if won else Side.CHALLENGER
    return Outcome.WON if won else Outcome.LOST, Ending.FLED if loser in fled else Ending.PLAYED
