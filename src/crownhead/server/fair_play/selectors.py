"""Questions about fair play: who gained rating points from whom, and how, and what they share."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from crownhead.server.core.batches import batched
from crownhead.server.fair_play.choices import Trace
from crownhead.server.fair_play.models import Sighting
from crownhead.server.play.staff.selectors import quick_ends
from crownhead.server.ratings.selectors.transfers import Win, transfers, wins_of_gainers

WINDOW = timedelta(days=30)
MAX_PAIRS = 300  # those that moved most points
MIN_GAMES = 3  # a pair that met less often is only looked at if the two share something
SUSPICIOUS = 4  # a weight from which a pair is listed
MAX_GAINS = 300  # those that are largest: a player may have one in each variant
MIN_EARLY_WINS, MIN_OPPONENTS = 10, 4
_EARLY = 0.5  # of a player's wins; the rest of an honest player's were played on
_AT_ONCE = 5000  # members asked for together: a statement takes no more ids than its database allows
_OFTEN, _NEARLY_ALL, _MANY, _POINTS = 0.5, 0.9, 8, 150

Traces = defaultdict[int, set[tuple[str, str]]]
"""Which addresses and browsers, as hashes, members were seen with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A player who gained points from another. ``weight``: how much speaks for an arrangement."""

    winner_id: int
    winner: str
    loser_id: int
    loser: str
    games: int
    won: int
    points: int
    short: int
    given_up: int
    shared_addresses: int
    shared_devices: int

    @property
    def weight(self) -> int:
        """Browsers count more than addresses, which a family or a school shares.

        An honest pupil may lose nearly all of many games, and many points while they are new: that is not
        enough. If they give up half of those games early as well, it is.
        """
        often = max(2, _OFTEN * self.games)
        given_up = self.given_up >= often
        one_sided = self.games >= _MANY and self.won >= _NEARLY_ALL * self.games
        signals = (
            (4, self.shared_devices > 0),
            (3, self.shared_addresses > 0),
            (2, self.short >= often),
            (1, given_up),
            (1, one_sided),
            (1, one_sided and given_up),
            (1, self.games >= _MANY),
            (1, self.points >= _POINTS),
        )
        return sum(weight for weight, holds in signals if holds)


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlyWinner:
    """A player whom many opponents let win early; ``points``: what those games brought.

    ``sharing``: how many of the opponents share an address or a browser with the player or one another.
    """

    username: str
    wins: int
    given_up: int
    opponents: int
    points: int
    sharing: int


def suspicious_pairs(*, now: datetime) -> list[Pair]:
    """The pairs whose rated games of the last month look arranged, the most suspicious first."""
    found = transfers(since=now - WINDOW, most=MAX_PAIRS)
    shared = _shared({(row.winner_id, row.loser_id) for row in found})
    wanted = [row for row in found if row.games >= MIN_GAMES or shared[row.winner_id, row.loser_id]]
    ends = quick_ends({game for row in wanted for game in row.game_ids})
    pairs = [
        Pair(
            winner_id=row.winner_id,
            winner=row.winner,
            loser_id=row.loser_id,
            loser=row.loser,
            games=row.games,
            won=row.won,
            points=row.points,
            short=sum(game in ends.short for game in row.game_ids),
            given_up=sum(game in ends.given_up for game in row.game_ids),
            shared_addresses=shared[row.winner_id, row.loser_id][Trace.ADDRESS],
            shared_devices=shared[row.winner_id, row.loser_id][Trace.DEVICE],
        )
        for row in wanted
    ]
    listed = [pair for pair in pairs if pair.weight >= SUSPICIOUS]
    return sorted(listed, key=lambda pair: (-pair.weight, -pair.points, pair.winner, pair.loser))


def early_winners(*, now: datetime) -> list[EarlyWinner]:
    """The players who gained points in the last month by wins that many opponents gave up early.

    Each opponent may have lost too little for a suspicious pair.
    """
    wins: dict[int, list[Win]] = defaultdict(list)
    for win in wins_of_gainers(since=now - WINDOW, most=MAX_GAINS):
        wins[win.winner_id].append(win)
    many = [of_one for of_one in wins.values() if _are_many(of_one)]
    ended_early = quick_ends({win.game_id for of_one in many for win in of_one}).given_up
    found = []
    for of_one in many:
        early = [win for win in of_one if win.game_id in ended_early]
        if _are_many(early) and len(early) >= _EARLY * len(of_one):
            found.append((len(of_one), early))
    seen = _traces({user for _, early in found for win in early for user in (win.winner_id, win.loser_id)})
    listed = [_early_winner(count, early, seen) for count, early in found]
    return sorted(listed, key=lambda player: (-player.points, player.username))


def _are_many(wins: Collection[Win]) -> bool:
    return len(wins) >= MIN_EARLY_WINS and len({win.loser_id for win in wins}) >= MIN_OPPONENTS


def _early_winner(wins: int, early: list[Win], seen: Traces) -> EarlyWinner:
    opponents = {win.loser_id for win in early}
    having = Counter(trace for user in {early[0].winner_id, *opponents} for trace in seen[user])
    return EarlyWinner(
        username=early[0].winner,
        wins=wins,
        given_up=len(early),
        opponents=len(opponents),
        points=round(sum(win.points for win in early)),
        sharing=sum(any(having[trace] > 1 for trace in seen[user]) for user in opponents),
    )


def _shared(pairs: Collection[tuple[int, int]]) -> dict[tuple[int, int], Counter[str]]:
    """How many addresses and browsers the two of each pair share.

    Only these are compared: a program can let a hundred accounts share a hundred browsers.
    """
    seen = _traces({user for pair in pairs for user in pair})
    return {(one, other): Counter(trace for trace, _ in seen[one] & seen[other]) for one, other in pairs}


def _traces(users: Collection[int]) -> Traces:
    seen: Traces = defaultdict(set)
    for some in batched(sorted(users), _AT_ONCE):
        rows = Sighting.objects.filter(user__in=some).values_list("user_id", "trace", "digest")
        for user_id, trace, digest in rows.iterator():
            seen[user_id].add((trace, digest))
    return seen
