"""Parts shared by single and double elimination: brackets, who advances, and who begins."""

from __future__ import annotations

from collections.abc import Sequence

from crownhead.contest.formats.common import GAMES, SEEDING
from crownhead.contest.i18n import gettext_noop as _
from crownhead.contest.model import Bye, Contest, Pairing
from crownhead.contest.options import Choices, Option
from crownhead.contest.seeding import by_strength, random_key
from crownhead.contest.tally import Tallies, tallies

KNOCKOUT_OPTIONS = (
    GAMES,
    Option("replays", 2, _("how often a tied match is replayed, with colours swapped"), 0, 20),
    Option(
        "decider",
        "second",
        _(
            "who advances when all replays were tied: the player with the second side in the last game, "
            "the better seed, or a random draw"
        ),
        choices=(_("second"), _("seed"), _("lot")),
    ),
    SEEDING,
)


def bracket(count: int) -> list[int]:
    """Return seeds in bracket order, so that the best meet last; their number is a power of two ≥ ``count``.

    >>> bracket(6)
    [1, 8, 4, 5, 2, 7, 3, 6]
    """
    order = [1]
    while len(order) < count:
        size = 2 * len(order) + 1
        order = [seed for best in order for seed in (best, size - best)]
    return order


def winner_of(contest: Contest, pairing: Pairing, choices: Choices) -> str | None:
    """Return who advances from a finished pairing, or None if neither player turned up."""
    if pairing.leader is not None or pairing.second is None:
        return pairing.leader
    if not any(game.counted for game in pairing.games):
        return None
    last = next(game for game in reversed(pairing.games) if game.counted)
    match choices.text("decider"):
        case "second":
            return last.second
        case "seed":
            there = [contest.player(key) for key in pairing.players]
            return by_strength(there)[0].key
    about = f"decider {pairing.first} {pairing.second}"
    return min(pairing.players, key=lambda key: random_key(key, dice=contest.dice, about=about))


def loser_of(contest: Contest, pairing: Pairing, choices: Choices) -> str | None:
    """Return who lost to the player who advances; None for a bye, or if neither player turned up."""
    winner = winner_of(contest, pairing, choices)
    if winner is None or pairing.second is None:
        return None
    return pairing.second if winner == pairing.first else pairing.first


class Pairer:
    """Creates the pairings of a round from the remaining players and the sides they have had."""

    def __init__(self, contest: Contest, choices: Choices) -> None:
        self._players = {player.key: player for player in contest.players}
        self._played = tallies(contest)
        self._games = choices.number("games")
        self._replays = choices.number("replays")

    def meet(
        self, pair: Sequence[str | None], *, table: int, number: int, section: int = 0, stage: str = ""
    ) -> Pairing | None:
        """Pair the remaining players of a pair: two, one with a bye, or None if both have left."""
        there = [key for key in pair if key is not None and self._players[key].plays_in(number)]
        if not there:
            return None
        if len(there) == 1:
            return Pairing(table, there[0], section=section, planned=self._games, bye=Bye.ODD, stage=stage)
        first, second = begins(there[0], there[1], self._played, table)
        return Pairing(
            table,
            first,
            second,
            section=section,
            planned=self._games,
            replays=self._replays,
            ballot=table,
            stage=stage,
        )


def begins(one: str, other: str, played: Tallies, table: int) -> tuple[str, str]:
    """Give the first side to the player with fewer, else to the one without it last, else in turns."""
    had = {key: sum(meeting.firsts for meeting in played[key].meetings) for key in (one, other)}
    games = {key: played[key].games for key in (one, other)}
    balance = (2 * had[one] - games[one]) - (2 * had[other] - games[other])
    if balance:
        return (one, other) if balance < 0 else (other, one)
    lasts = {key: _began_last(key, played) for key in (one, other)}
    if lasts[one] != lasts[other]:
        return (other, one) if lasts[one] else (one, other)
    return (one, other) if table % 2 else (other, one)


def _began_last(key: str, played: Tallies) -> bool:
    met = [meeting for meeting in played[key].meetings if meeting.met]
    return bool(met) and met[-1].firsts > 0
