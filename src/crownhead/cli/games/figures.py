"""What some files of games come to: results, lengths, openings, players, events, years and variants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from crownhead.cli.games.entries import Entry
from crownhead.cli.games.opening import Openings
from crownhead.cli.games.tally import Score, Tally
from crownhead.rules.schema import Colour

BIN = 10  # moves that a bar of the histogram of lengths stands for
_LONGEST = 1000  # moves; whatever is longer counts as that long

NAMELESS = "unknown"


@dataclass(slots=True)
class Figures:
    """Counts that grow game by game, in bounded memory."""

    score: Score = field(default_factory=Score)  # of the side that begins
    winners: Counter[Colour] = field(default_factory=Counter)
    both_lost: int = 0
    beginners: set[Colour] = field(default_factory=set)  # the sides that begin in the variants met
    lengths: Counter[int] = field(default_factory=Counter)  # moves, of games that have any
    openings: Tally = field(default_factory=Tally)
    players: Tally = field(default_factory=Tally)
    events: Tally = field(default_factory=Tally)
    years: Tally = field(default_factory=Tally)
    variants: Tally = field(default_factory=Tally)
    _names: Openings = field(default_factory=Openings)

    @property
    def games(self) -> int:
        """How many."""
        return self.score.games

    def add(self, entry: Entry) -> None:
        """Count a game."""
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
        """Games without a result that says anything."""
        return self.score.games - self.score.known - self.both_lost

    @property
    def is_exact(self) -> bool:
        """Whether no name had to be forgotten."""
        tallies = (self.openings, self.players, self.events, self.years, self.variants)
        return all(tally.is_exact for tally in tallies)

    def length_at(self, share: float) -> int:
        """The length that this share of the games, from 0 to 1, does not exceed."""
        wanted, seen = share * self.lengths.total(), 0
        for length, games in sorted(self.lengths.items()):
            seen += games
            if seen >= wanted:
                return length
        return 0

    @property
    def mean_length(self) -> float:
        """Moves a game has on average; 0 where there are no games with moves."""
        moves = sum(length * games for length, games in self.lengths.items())
        return moves / self.lengths.total() if self.lengths else 0.0

    def bins(self) -> list[tuple[int, int, int]]:
        """The histogram of lengths without empty ends: first and last length of a bar, and its games."""
        if not self.lengths:
            return []
        games = Counter[int]()
        for length, count in self.lengths.items():
            games[(length - 1) // BIN] += count
        return [(n * BIN + 1, (n + 1) * BIN, games[n]) for n in range(min(games), max(games) + 1)]

    def by_year(self) -> list[tuple[str, Score]]:
        """The years that are known, in order."""
        return [(year, score) for year, score in self.years.by_name() if year != NAMELESS]


def _players(entry: Entry) -> Iterator[tuple[str, float | None]]:
    """The players whose names are known, and what each won."""
    for colour in Colour:
        name = entry.tag(colour.value.capitalize())
        if name:
            yield name, _own(entry, colour)


def _own(entry: Entry, colour: Colour) -> float | None:
    if entry.share is None or entry.variant is None:
        return None
    return entry.share if entry.variant.start.first is colour else 1.0 - entry.share
