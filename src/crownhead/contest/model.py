"""The values that a contest is made of: players, rounds, pairings, games and their points.

Everything here is frozen. Points are counted in *half points*: a win is 2, a draw 1, a loss 0. Players are
told apart by ``key``, which is whatever text the caller likes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import count, islice
from types import MappingProxyType

from crownhead.contest.errors import BadResult, BadRound

WIN, DRAW, LOSS = 2, 1, 0  # half points of one game
_POSSIBLE = {(2, 0), (1, 1), (0, 2), (0, 0)}

OptionValue = int | str | bool
Options = Mapping[str, OptionValue]


@dataclass(frozen=True, slots=True)
class Player:
    """One who takes part, from the round he entered to the round he left.

    A player who has withdrawn stays in the list: his games count on. ``seed`` orders the field, 1 first; 0
    leaves it to the rating. ``off`` names rounds for which he asked for a half-point bye. ``here`` matters
    to an arena alone: whether he wants to be paired now.
    """

    key: str
    seed: int = 0
    rating: int = 1500
    entered: int = 1  # the first round he is paired in
    left: int | None = None  # the last round he was paired in; 0: before the first; None: he is still in
    off: frozenset[int] = frozenset()
    here: bool = True

    def plays_in(self, number: int) -> bool:
        """Whether he is in the contest in this round (an asked-for bye is still in)."""
        return self.entered <= number and (self.left is None or number <= self.left)


class ResultKind(StrEnum):
    """What the points of a game rest on."""

    PLAYED = "played"  # the board, a resignation, the clock, an agreement
    FORFEIT = "forfeit"  # somebody did not come, or was put out: no game for ratings, colours and tie-breaks
    ADJUDICATED = "adjudicated"  # a director has judged a game that was played
    ANNULLED = "annulled"  # the game counts for nothing, and is not played again


@dataclass(frozen=True, slots=True)
class Game:
    """One game of a pairing: who has the first side, who the second, and the half points of each.

    ``points`` is None while the game goes on; (0, 0) when both have forfeited or the game is annulled.
    """

    first: str
    second: str
    points: tuple[int, int] | None = None
    how: ResultKind = ResultKind.PLAYED
    number: int = 0  # in its pairing, from 1; 0: its place among the games there

    def __post_init__(self) -> None:
        """Raises ``BadResult`` on points that no game has."""
        if self.first == self.second:
            raise BadResult(f"expected two players in a game, got {self.first!r} twice")
        if self.points is None:
            return
        if self.points not in _POSSIBLE:
            raise BadResult(f"expected half points (2, 0), (1, 1), (0, 2) or (0, 0), got {self.points!r}")
        if self.points == (0, 0) and self.how in (ResultKind.PLAYED, ResultKind.ADJUDICATED):
            raise BadResult(
                f"expected a forfeit or an annulled game for points (0, 0), got {self.how.value!r}"
            )

    @property
    def over(self) -> bool:
        """Whether it has its points."""
        return self.points is not None

    @property
    def counted(self) -> bool:
        """Whether it was a game at all: for colours, ratings and tie-breaks."""
        return self.how in (ResultKind.PLAYED, ResultKind.ADJUDICATED)

    def points_of(self, key: str) -> int:
        """The half points of a player; 0 while the game goes on. Raises ``BadResult`` for a stranger."""
        if key not in (self.first, self.second):
            raise BadResult(f"expected {self.first!r} or {self.second!r}, got {key!r}")
        if self.points is None:
            return 0
        return self.points[0] if key == self.first else self.points[1]


class Bye(StrEnum):
    """Why somebody has no opponent in a round."""

    ODD = "odd"  # nobody was left to play: as good as a win, unless the format says otherwise
    ASKED = "asked"  # he asked for it beforehand: half the points
    ABSENT = "absent"  # he was not there: nothing


@dataclass(frozen=True, slots=True)
class PlannedGame:
    """A game that is due: start it, and keep it as the ``number``-th game of its pairing (from 1).

    Games of a round with the same ``ballot`` (from 1; 0: none is shared) begin with the same opening.
    """

    number: int
    first: str
    second: str
    ballot: int = 0


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players of a round and their games; or one who has a bye (``second`` is None).

    ``first`` has the first side in the odd games, ``second`` in the even ones. ``planned`` games start at
    once. With ``wins`` the match goes on until somebody has won so many, or ``most`` games are over; a tie
    that ``replays`` may still break brings ``planned`` games more. Every two games, with colours swapped,
    share an opening: ``ballot`` is the slot of the first two, ``ballot + 1000`` that of the next two.
    """

    table: int  # from 1 in each round
    first: str
    second: str | None = None
    section: int = 0  # from 1; 0: the format has none
    planned: int = 1
    wins: int = 0
    most: int = 0  # games of a match for wins; 0: no end
    replays: int = 0
    ballot: int = 0
    games: tuple[Game, ...] = ()
    bye: Bye | None = None
    adjourned: bool = False  # the next round need not wait; for pairing, open games count as drawn
    stage: str = ""  # what the format calls it: "final", "third place", "losers' round 2"

    def __post_init__(self) -> None:
        """Raises ``BadRound`` on nonsense, ``BadResult`` on games of other people."""
        if (self.second is None) != (self.bye is not None):
            raise BadRound(
                f"expected an opponent or a bye for {self.first!r}, got {self.second!r}, {self.bye!r}"
            )
        if self.first == self.second:
            raise BadRound(f"expected two players at table {self.table}, got {self.first!r} twice")
        for game in self.games:
            if {game.first, game.second} != {self.first, self.second}:
                raise BadResult(f"expected a game of {self.first!r} and {self.second!r}, got {game!r}")

    @property
    def players(self) -> tuple[str, ...]:
        """The keys of one or two players."""
        return (self.first,) if self.second is None else (self.first, self.second)

    def points_of(self, key: str) -> int:
        """Half points so far, of the games or of the bye."""
        if self.bye is not None:
            return {Bye.ODD: 2, Bye.ASKED: 1, Bye.ABSENT: 0}[self.bye] * self.planned
        return sum(game.points_of(key) for game in self.games)

    @property
    def over(self) -> bool:
        """Whether nothing is to be played any more."""
        return self.bye is not None or (all(game.over for game in self.games) and not self._batch())

    @property
    def leader(self) -> str | None:
        """The player with more points; None when they are even or nobody has played."""
        if self.second is None:
            return self.first
        ours, theirs = self.points_of(self.first), self.points_of(self.second)
        return None if ours == theirs else self.first if ours > theirs else self.second

    def due(self) -> tuple[PlannedGame, ...]:
        """The games to start now that are not there yet; none while others go on, or when it is over."""
        if self.second is None or self.adjourned:
            return ()
        started = len(self.games)
        if started % self.planned:  # somebody was interrupted between two games of a batch
            return self._numbered(-started % self.planned)
        return self._numbered(self._batch()) if all(game.over for game in self.games) else ()

    def _batch(self) -> int:
        """How many games still have to be started, if none goes on."""
        started = len(self.games)
        if started % self.planned:
            return -started % self.planned
        if started == 0:
            return self.planned
        if self._put_out():
            return 0
        if self.wins:
            ended = max(self._won()) >= self.wins or 0 < self.most <= started
            return 0 if ended else self.planned
        return self.planned if self.leader is None and started < self.planned * (1 + self.replays) else 0

    def _won(self) -> tuple[int, int]:
        return (
            sum(game.points_of(self.first) == WIN for game in self.games),
            sum(game.points_of(self.second) == WIN for game in self.games if self.second is not None),
        )

    def _put_out(self) -> bool:
        """Whether a game was forfeited or annulled: a match does not go on after that."""
        return any(not game.counted and game.over for game in self.games)

    def _numbered(self, wanted: int) -> tuple[PlannedGame, ...]:
        """So many games, by the lowest free numbers: the first of two may be the one that is played again."""
        if self.second is None:
            return ()
        taken = {game.number or place for place, game in enumerate(self.games, start=1)}
        made = []
        for number in islice((number for number in count(1) if number not in taken), wanted):
            sides = (self.first, self.second) if number % 2 else (self.second, self.first)
            slot = self.ballot + 1000 * ((number - 1) // 2) if self.ballot else 0
            made.append(PlannedGame(number, *sides, ballot=slot))
        return tuple(made)


@dataclass(frozen=True, slots=True)
class Round:
    """Pairings made together, numbered from 1. In an arena: one wave of pairings."""

    number: int
    pairings: tuple[Pairing, ...]

    def __post_init__(self) -> None:
        """Raises ``BadRound`` where tables are not told apart."""
        tables = [pairing.table for pairing in self.pairings]
        if len(set(tables)) != len(tables):
            raise BadRound(f"expected each table of round {self.number} once, got {sorted(tables)}")

    @property
    def over(self) -> bool:
        """Whether every pairing is over."""
        return all(pairing.over for pairing in self.pairings)

    @property
    def passed(self) -> bool:
        """Whether the next round need not wait: every pairing is over or adjourned."""
        return all(pairing.over or pairing.adjourned for pairing in self.pairings)


@dataclass(frozen=True, slots=True)
class Contest:
    """A contest as it stands; what a format looks at, and all it looks at.

    ``options`` are those that differ from the format's defaults. ``dice`` is a number that the caller has
    drawn once; it settles every lot, so that the same contest always draws the same. ``closed``: an arena's
    time is up, or a director wants no further round.
    """

    format: str
    players: tuple[Player, ...]
    rounds: tuple[Round, ...] = ()
    options: Options = field(default_factory=lambda: MappingProxyType({}))
    dice: int = 0
    closed: bool = False

    def player(self, key: str) -> Player:
        """By key; raises ``BadRound`` for a stranger."""
        for player in self.players:
            if player.key == key:
                return player
        raise BadRound(f"expected a player of the contest, got {key!r}")

    def pairings(self) -> Iterator[tuple[int, Pairing]]:
        """Every pairing with the number of its round, in order."""
        for made in self.rounds:
            for pairing in made.pairings:
                yield made.number, pairing


class WaitReason(StrEnum):
    """Why the next step has to wait."""

    GAMES = "games"  # games of the round go on
    PLAYERS = "players"  # nobody free can be paired yet (arena), or too few are left
    DIRECTOR = "director"  # nothing can be paired by the rules: somebody has to decide


@dataclass(frozen=True, slots=True)
class Pair:
    """Start this round: keep its pairings, and start what each has ``due``."""

    round: Round


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing to do until something happens. ``sentence`` is English; ``open`` counts what goes on."""

    why: WaitReason
    sentence: str
    open: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table. ``place`` is shared by ``sharing`` players (1: his alone).

    ``values`` belong to the table's ``columns``, in the units of each tie-break.
    """

    place: int
    player: str
    points: int  # half points
    sharing: int = 1
    played: int = 0  # games that were played to a result, without byes and forfeits
    wins: int = 0
    draws: int = 0
    losses: int = 0
    values: tuple[int, ...] = ()
    out: bool = False  # knocked out, or not going on
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Places of a contest or of one of its sections, best first. ``columns`` are keys of tie-breaks."""

    rows: tuple[Row, ...]
    columns: tuple[str, ...] = ()
    round: int = 0  # of a section: the round it belongs to; 0: the whole contest
    section: int = 0
    unit: int = 2  # how many of ``points`` make one point for people

    def place_of(self, key: str) -> int | None:
        """The place of a player; None if he is not in the table."""
        return next((row.place for row in self.rows if row.player == key), None)


@dataclass(frozen=True, slots=True)
class Finished:
    """The contest is over. ``winners`` has more than one name where the first place is shared."""

    tables: tuple[Table, ...]
    winners: tuple[str, ...]


Step = Pair | Wait | Finished
