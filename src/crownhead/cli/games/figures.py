"""Statistics of games: results, lengths, openings, players, events, years and variants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from crownhead.cli.games.entries import Entry
from crownhead.cli.games.opening import Openings
from crownhead.cli.games.tally import Score, Tally
from crownhead.rules.schema import Colour

BIN = 10  # moves per bar of the length histogram
_LONGEST = 1000  # moves; longer games are counted here

NAMELESS = "unknown"


@dataclass(slots=True)
class Figures:
    """Statistics collected game by game in bounded memory."""

    score: Score = field(default_factory=Score)  # of the side that begins
    winners: Counter[Colour] = field(default_factory=Counter)
    both_lost: int = 0
    beginners: set[Colour] = field(default_factory=set)  # the colours that begin, in the variants found
    lengths: Counter[int] = field(default_factory=Counter)  # of games with moves
    openings: Tally = field(default_factory=Tally)
    players: Tally = field(default_factory=Tally)
    events: Tally = field(default_factory=Tally)
    years: Tally = field(default_factory=Tally)
    variants: Tally = field(default_factory=Tally)
    _names: Openings = field(default_factory=Openings)

    @property
    def games(self) -> int:
        """The number of games."""
        return self.score.games

    def add(self, entry: Entry) -> None:
        """Add a game."""
        share = entry.share
        self.score.add(share)
        self.both_lost += entry.both_lost
        if entry.variant is not None:
            self.beginners.add(entry.variant.start.first)
        if entry.winner is not None:
            self.winners[entry.winner] += 1
        if entry.length:
            self.lengths[min(entry.length, _LONGEST)] += 1
            self.openings.add(self._names.of(entry), share)
        self.events.add(entry.tag("Event") or NAMELESS, share)
        self.years.add(str(entry.date[0]) if entry.date else NAMELESS, share)
        self.variants.add(NAMELESS if entry.variant is None else entry.variant.key, share)
        for name, own in _players(entry):
            self.players.add(name, own)

    @property
    def unknown(self) -> int:
        """The number of games without a known result."""
        return self.score.games - self.score.known - self.both_lost

    @property
    def is_exact(self) -> bool:
        """Whether all names fitted in memory."""
        tallies = (self.openings, self.players, self.events, self.years, self.variants)
        return all(tally.is_exact for tally in tallies)

    def length_at(self, share: float) -> int:
        """Return the quantile of the lengths for a share from 0 to 1."""
        wanted, seen = share * self.lengths.total(), 0
        for length, games in sorted(self.lengths.items()):
            seen += games
            if seen >= wanted:
                return length
        return 0

    @property
    def mean_length(self) -> float:
        """The mean length in moves; 0 without games."""
        moves = sum(length * games for length, games in self.lengths.items())
        return moves / self.lengths.total() if self.lengths else 0.0

    def bins(self) -> list[tuple[int, int, int]]:
        """Return the length histogram as (first length, last length, games), without empty ends."""
        if not self.lengths:
            return []
        games = Counter[int]()
        for length, count in self.lengths.items():
            games[(length - 1) // BIN] += count
        return [(n * BIN + 1, (n + 1) * BIN, games[n]) for n in range(min(games), max(games) + 1)]

    def by_year(self) -> list[tuple[str, Score]]:
        """Return the scores by known year, in order."""
        return [(year, score) for year, score in self.years.by_name() if year != NAMELESS]


def _players(entry: Entry) -> Iterator[tuple[str, float | None]]:
    """Yield the named players and their scores."""
    for colour in Colour:
        name = entry.tag(colour.value.capitalize())
        if name:
            yield name, _own(entry, colour)


def _own(entry: Entry, colour: Colour) -> float | None:
    if entry.share is None or entry.variant is None:
        return None
    return entry.share if entry.variant.start.first is colour else 1.0 - entry.share
