"""The data of a contest: players, rounds, pairings, games and their points.

Everything here is frozen. Points are counted in *half points*: a win is 2, a draw 1, a loss 0. Players are
identified by ``key``, which can be any text.
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
    """A participant, from the round they entered to the round they left.

    A player who has withdrawn stays in the list: their games still count. ``seed`` orders the players, 1
    first; 0 means by rating. ``off`` lists the rounds with a requested half-point bye. ``here`` matters only
    in an arena: whether the player wants to be paired now.
    """

    key: str
    seed: int = 0
    rating: int = 1500
    entered: int = 1  # the first round with a pairing
    left: int | None = None  # the last round with a pairing; 0: before the first; None: still in
    off: frozenset[int] = frozenset()
    here: bool = True

    def plays_in(self, number: int) -> bool:
        """Whether the player is in the contest in this round (also with a requested bye)."""
        return self.entered <= number and (self.left is None or number <= self.left)


class ResultKind(StrEnum):
    """How the points of a game came about."""

    PLAYED = "played"  # on the board, by resignation, on time or by agreement
    FORFEIT = "forfeit"  # a player was absent or excluded: does not count for ratings, colours and tie-breaks
    ADJUDICATED = "adjudicated"  # a director decided a game that was played
    ANNULLED = "annulled"  # the game does not count and is not replayed


@dataclass(frozen=True, slots=True)
class Game:
    """One game of a pairing: the players of the first and second side, and the half points of each.

    ``points`` is None while the game is in progress; (0, 0) if both have forfeited or the game is annulled.
    """

    first: str
    second: str
    points: tuple[int, int] | None = None
    how: ResultKind = ResultKind.PLAYED
    number: int = 0  # within its pairing, from 1; 0: its index there

    def __post_init__(self) -> None:
        """Raises ``BadResult`` for impossible points."""
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
        """Whether the game has ended."""
        return self.points is not None

    @property
    def counted(self) -> bool:
        """Whether the game counts for colours, ratings and tie-breaks."""
        return self.how in (ResultKind.PLAYED, ResultKind.ADJUDICATED)

    def points_of(self, key: str) -> int:
        """Return a player's half points, 0 while in progress; raises ``BadResult`` for an unknown player."""
        if key not in (self.first, self.second):
            raise BadResult(f"expected {self.first!r} or {self.second!r}, got {key!r}")
        if self.points is None:
            return 0
        return self.points[0] if key == self.first else self.points[1]


class Bye(StrEnum):
    """Why a player has no opponent in a round."""

    ODD = "odd"  # nobody was left to play: worth a win, unless the format says otherwise
    ASKED = "asked"  # requested beforehand: half the points
    ABSENT = "absent"  # absent: no points


@dataclass(frozen=True, slots=True)
class PlannedGame:
    """A game to start now, as game ``number`` of its pairing (from 1).

    Games of a round with the same ``ballot`` (from 1; 0: none is shared) start with the same opening.
    """

    number: int
    first: str
    second: str
    ballot: int = 0


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players of a round and their games, or one player with a bye (``second`` is None).

    ``first`` has the first side in odd games, ``second`` in even ones. ``planned`` games start at the same
    time. With ``wins`` the match continues until a player has won that many games, or ``most`` games are
    over. A tie is followed by ``planned`` more games, up to ``replays`` times. Every two games, with colours
    swapped, share an opening: ``ballot`` is the slot of the first two, ``ballot + 1000`` that of the next
    two.
    """

    table: int  # from 1 in each round
    first: str
    second: str | None = None
    section: int = 0  # from 1; 0: the format has none
    planned: int = 1
    wins: int = 0
    most: int = 0  # maximum number of games of a match for wins; 0: no maximum
    replays: int = 0
    ballot: int = 0
    games: tuple[Game, ...] = ()
    bye: Bye | None = None
    adjourned: bool = False  # the next round need not wait; for pairing, open games count as drawn
    stage: str = ""  # what the format calls it: "final", "third place", "losers' round 2"

    def __post_init__(self) -> None:
        """Raises ``BadRound`` if the pairing is invalid, ``BadResult`` for games of other players."""
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
        """Return a player's half points so far, from games or the bye."""
        if self.bye is not None:
            return {Bye.ODD: 2, Bye.ASKED: 1, Bye.ABSENT: 0}[self.bye] * self.planned
        return sum(game.points_of(key) for game in self.games)

    @property
    def over(self) -> bool:
        """Whether no more games are to be played."""
        return self.bye is not None or (all(game.over for game in self.games) and not self._batch())

    @property
    def leader(self) -> str | None:
        """The player with more points; None if they are equal or nobody has played."""
        if self.second is None:
            return self.first
        ours, theirs = self.points_of(self.first), self.points_of(self.second)
        return None if ours == theirs else self.first if ours > theirs else self.second

    def due(self) -> tuple[PlannedGame, ...]:
        """Return the games to start now; none while others are in progress or the pairing is over."""
        if self.second is None or self.adjourned:
            return ()
        started = len(self.games)
        if started % self.planned:  # the caller was interrupted between two games of a batch
            return self._numbered(-started % self.planned)
        return self._numbered(self._batch()) if all(game.over for game in self.games) else ()

    def _batch(self) -> int:
        """Return how many games to start next, if none is in progress."""
        started = len(self.games)
        if started % self.planned:
            return -started % self.planned
        if started == 0:
            return self.planned
        if not self.wins and started >= self.planned * (1 + self.replays):
            return 0
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
        """Whether a game was forfeited or annulled, which ends a match."""
        return any(not game.counted and game.over for game in self.games)

    def _numbered(self, wanted: int) -> tuple[PlannedGame, ...]:
        """Return ``wanted`` games with the lowest free numbers; the first of two may be the one to replay."""
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
        """Raises ``BadRound`` if table numbers are not unique."""
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
    """The current state of a contest, which is all that a format looks at.

    ``options`` are those that differ from the format's defaults. ``dice`` is a random number that the caller
    has drawn once; it determines all random draws, so that they are reproducible. ``closed``: an arena's time
    is up, or a director wants no further rounds.
    """

    format: str
    players: tuple[Player, ...]
    rounds: tuple[Round, ...] = ()
    options: Options = field(default_factory=lambda: MappingProxyType({}))
    dice: int = 0
    closed: bool = False

    def player(self, key: str) -> Player:
        """Return a player by key; raises ``BadRound`` if unknown."""
        for player in self.players:
            if player.key == key:
                return player
        raise BadRound(f"expected a player of the contest, got {key!r}")

    def pairings(self) -> Iterator[tuple[int, Pairing]]:
        """Yield every pairing with the number of its round, in order."""
        for made in self.rounds:
            for pairing in made.pairings:
                yield made.number, pairing


class WaitReason(StrEnum):
    """Why the next step has to wait."""

    GAMES = "games"  # games of the round are in progress
    PLAYERS = "players"  # no free players can be paired yet (arena), or too few are left
    DIRECTOR = "director"  # the rules allow no pairing: a director has to decide


@dataclass(frozen=True, slots=True)
class Pair:
    """Start this round: store its pairings and start the games that are ``due``."""

    round: Round


@dataclass(frozen=True, slots=True)
class Wait:
    """Wait until something changes; ``sentence`` says why in English, ``open`` counts open pairings."""

    why: WaitReason
    sentence: str
    open: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table; ``place`` is shared by ``sharing`` players (1: not shared).

    ``values`` belong to the table's ``columns``, in the units of each tie-break.
    """

    place: int
    player: str
    points: int  # half points
    sharing: int = 1
    played: int = 0  # games played to a result, without byes and forfeits
    wins: int = 0
    draws: int = 0
    losses: int = 0
    values: tuple[int, ...] = ()
    out: bool = False  # eliminated
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """The standings of a contest or of a section, best first; ``columns`` are keys of tie-breaks."""

    rows: tuple[Row, ...]
    columns: tuple[str, ...] = ()
    round: int = 0  # of a section: the round it belongs to; 0: the whole contest
    section: int = 0
    unit: int = 2  # how many of ``points`` make one point for people


@dataclass(frozen=True, slots=True)
class Finished:
    """The contest is over. ``winners`` has more than one name where the first place is shared."""

    tables: tuple[Table, ...]
    winners: tuple[str, ...]


Step = Pair | Wait | Finished
