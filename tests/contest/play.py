"""Plays contests with simulated players, who win, draw, run out of time, stay away and withdraw.

The dice are given, so that every contest can be played again. What must hold in every round of every format
is checked on the way.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random

from crownhead.contest import (
    Contest,
    Finished,
    Game,
    Pair,
    Pairing,
    PlannedGame,
    Player,
    ResultKind,
    Round,
    Wait,
    WaitReason,
    formats,
)


@dataclass(frozen=True, slots=True)
class Habits:
    """The percentages of unusual events."""

    draws: int = 25
    no_shows: int = 3  # of a game: one of the two does not come
    both_absent: int = 1
    withdrawals: int = 0  # of a player, after a round
    byes_asked: int = 0
    late: int = 0  # players who enter after each round, in all


QUIET = Habits(no_shows=0, both_absent=0)
LIVELY = Habits(withdrawals=2)


def field_of(count: int, *, start: int = 1) -> tuple[Player, ...]:
    """Players of falling strength."""
    return tuple(Player(f"p{n:03}", rating=2200 - 7 * n) for n in range(start, start + count))


@dataclass
class Club:
    """A contest and the random numbers of its players."""

    contest: Contest
    habits: Habits = QUIET
    seed: int = 1
    longest: int = 400
    dice: Random = field(init=False)
    finished: Finished | None = None

    def __post_init__(self) -> None:
        self.dice = Random(self.seed)
        formats.format_of(self.contest.format).check(self.contest.options, self.contest.players)

    def steps(self) -> Iterator[Round]:
        """Yield each round when it is paired, then play it and let players come and go."""
        for _ in range(self.longest):
            step = formats.next_step(self.contest)
            if len(self.contest.players) < 100 or not self.contest.rounds:
                assert formats.next_step(self.contest) == step, "the same contest is answered alike"
            match step:
                case Finished():
                    self.finished = step
                    return
                case Wait(why):
                    assert why is WaitReason.GAMES, step
                    self._play_on()
                case Pair(made):
                    sound(self.contest, made)
                    yield made
                    self.contest = replace(self.contest, rounds=(*self.contest.rounds, made))
                    self._play_on()
                    self._come_and_go(made.number)
        raise AssertionError(f"expected an end within {self.longest} steps of {self.contest.format}")

    def to_the_end(self) -> Finished:
        """The end of the contest."""
        for _ in self.steps():
            pass
        assert self.finished is not None
        return self.finished

    def _play_on(self) -> None:
        rounds = []
        for made in self.contest.rounds:
            over = made.over
            pairings = made.pairings if over else tuple(self._played(pairing) for pairing in made.pairings)
            rounds.append(made if over else Round(made.number, pairings))
        self.contest = replace(self.contest, rounds=tuple(rounds))

    def _played(self, pairing: Pairing) -> Pairing:
        while due := pairing.due():
            games = tuple(self._result(planned) for planned in due)
            pairing = replace(pairing, games=(*pairing.games, *games))
        assert pairing.over
        return pairing

    def _result(self, planned: PlannedGame) -> Game:
        first, second = planned.first, planned.second
        gone = [key for key in (first, second) if self.contest.player(key).left is not None]
        chance = self.dice.randrange(100)
        if len(gone) == 2 or chance < self.habits.both_absent:
            return Game(first, second, (0, 0), ResultKind.FORFEIT)
        if gone:
            return Game(first, second, (0, 2) if gone == [first] else (2, 0), ResultKind.FORFEIT)
        if chance < self.habits.both_absent + self.habits.no_shows:
            return Game(first, second, self.dice.choice([(2, 0), (0, 2)]), ResultKind.FORFEIT)
        if self.dice.randrange(100) < self.habits.draws:
            return Game(first, second, (1, 1))
        ahead = self.contest.player(first).rating - self.contest.player(second).rating
        wins = self.dice.random() < 1 / (1 + 10 ** (-ahead / 400))
        return Game(first, second, (2, 0) if wins else (0, 2))

    def _come_and_go(self, number: int) -> None:
        players = []
        for player in self.contest.players:
            if player.left is None and self.dice.randrange(100) < self.habits.withdrawals:
                player = replace(player, left=number)
            elif self.dice.randrange(100) < self.habits.byes_asked:
                player = replace(player, off=player.off | {number + 1})
            players.append(player)
        if number <= self.habits.late:
            players.append(Player(f"late{number}", rating=1700, entered=number + 1))
        self.contest = replace(self.contest, players=tuple(players))


def sound(contest: Contest, made: Round) -> None:
    """Check what must hold for every round of every format."""
    assert made.number == len(contest.rounds) + 1
    assert made.pairings, "a round has somebody to play"
    formats.format_of(contest.format).check_round(contest, made)
    for pairing in made.pairings:
        planned = pairing.due()
        assert len(planned) == (0 if pairing.bye else pairing.planned)
        assert len({game.ballot for game in planned}) <= 1, "games of a pairing share their opening"
        if pairing.planned == 2 and planned:
            assert planned[0].first == planned[1].second, "and swap their colours"


def totals(contest: Contest) -> dict[str, int]:
    """Count each player's half points directly."""
    points: dict[str, int] = {player.key: 0 for player in contest.players}
    for _, pairing in contest.pairings():
        for key in pairing.players:
            points[key] += pairing.points_of(key)
    return points
