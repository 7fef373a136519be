"""Matches between engines: every opening is played twice, with the sides exchanged, and counted as one pair.

The result of a match is an Elo difference with the half-width of its 95 % confidence interval, and a
sequential probability ratio test (SPRT). Both use the scores of pairs (pentanomial), since the two games of
an opening that favours one side are not independent. The test is the generalised one of Van den Bergh ("A
practical introduction to the GSPRT", 2020): the score of a pair is taken as normally distributed, its
variance unknown.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Protocol

from crownhead.engine.engine import Engine
from crownhead.engine.hub.client import HubEngine
from crownhead.engine.tables import Result, Tables
from crownhead.openings import brazilian_deck, russian_deck, three_move_deck
from crownhead.openings.deck import Deck
from crownhead.rules import Game, Move, Position
from crownhead.rules.lookup import variant_of
from crownhead.rules.schema import DrawRules, Variant

_CONFIDENCE = 1.959964  # standard deviations to each side that hold 95 %
_MAX_PLIES = 300
_POINTS = {Result.WIN: 1.0, Result.DRAW: 0.5, Result.LOSS: 0.0}
_MAX_ADVANTAGE = 150  # hundredths of a man by which an opening may favour a side


class Player(Protocol):
    """A player in a match."""

    def move(self, game: Game) -> Move:
        """A legal move in the position of the game."""
        ...

    def begin(self) -> None:
        """Start a new game: forget the last one."""
        ...


@dataclass(frozen=True, slots=True)
class EnginePlayer:
    """The engine of this package or any with the Hub protocol, at so many nodes or seconds a move."""

    engine: Engine | HubEngine
    nodes: int | None = None
    seconds: float | None = None

    def move(self, game: Game) -> Move:
        """The best move that the engine finds."""
        return self.engine.analyse(game, nodes=self.nodes, seconds=self.seconds).expect_move()

    def begin(self) -> None:
        """Forget the last game."""
        self.engine.forget()


@dataclass(frozen=True, slots=True)
class Tally:
    """Pairs of games by what the first player scored in them: 0, ½, 1, 1½ or 2 points."""

    pairs: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    wins: int = 0
    draws: int = 0
    losses: int = 0

    def with_pair(self, first: float, second: float) -> Tally:
        """With two more games, given by the points of the first player: 0, ½ or 1 in each."""
        kinds = list(self.pairs)
        kinds[round(2 * (first + second))] += 1
        scores = (first, second)
        return Tally(
            (kinds[0], kinds[1], kinds[2], kinds[3], kinds[4]),
            self.wins + scores.count(1),
            self.draws + scores.count(0.5),
            self.losses + scores.count(0),
        )

    @property
    def games(self) -> int:
        """How many have been played."""
        return 2 * sum(self.pairs)

    @property
    def score(self) -> float:
        """The score of the first player, as a share of all points."""
        return sum(count * kind for kind, count in enumerate(self.pairs)) / (4 * max(sum(self.pairs), 1))

    @property
    def variance(self) -> float:
        """The variance of a pair's share of points; at least that of one pair that went the other way."""
        count = max(sum(self.pairs), 1)
        around = sum(n * (kind / 4 - self.score) ** 2 for kind, n in enumerate(self.pairs)) / count
        return max(around, 1 / (16 * count))

    def elo(self) -> tuple[float, float]:
        """The Elo difference, and the half-width of its 95 % confidence interval."""
        width = _CONFIDENCE * math.sqrt(self.variance / max(sum(self.pairs), 1))
        low, high = elo_of(self.score - width), elo_of(self.score + width)
        return elo_of(self.score), (high - low) / 2

    def log_likelihood_ratio(self, elo0: float, elo1: float) -> float:
        """The log-likelihood ratio (LLR) of ``elo1`` against ``elo0``."""
        if not sum(self.pairs):
            return 0.0
        from_0 = self.variance + (self.score - score_of(elo0)) ** 2
        from_1 = self.variance + (self.score - score_of(elo1)) ** 2
        return sum(self.pairs) / 2 * math.log(from_0 / from_1)

    def __str__(self) -> str:
        difference, width = self.elo()
        games = f"+{self.wins} ={self.draws} -{self.losses}"
        return f"{games} ({self.score:.1%}), Elo {difference:+.0f} ± {width:.0f}"


@dataclass(frozen=True, slots=True)
class SPRT:
    """A sequential probability ratio test: is the first player better by ``elo1`` rather than by ``elo0``?

    ``alpha`` is the probability of a wrong yes, ``beta`` that of a wrong no (Wald 1945).
    """

    elo0: float = 0
    elo1: float = 10
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which the test ends with a no, and with a yes."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def verdict(self, tally: Tally) -> bool | None:
        """Yes, no, or None: not known yet."""
        low, high = self.bounds
        ratio = tally.log_likelihood_ratio(self.elo0, self.elo1)
        return True if ratio >= high else False if ratio <= low else None


def elo_of(score: float) -> float:
    """The Elo difference at which a share of points is expected; at most 1200 either way."""
    sure = min(max(score, 0.001), 0.999)
    return 400 * math.log10(sure / (1 - sure))


def score_of(elo: float) -> float:
    """The share of points that is expected at an Elo difference."""
    return 1 / (1 + 10 ** (-elo / 400))


def deck_of(variant: str | Variant) -> Deck | None:
    """A deck of openings made for the rules and start of a variant, whatever its name."""
    row = variant_of(variant)
    decks = (three_move_deck(), russian_deck(), brazilian_deck())
    return next((deck for deck in decks if _suits(variant_of(deck.variant_key), row)), None)


def _suits(made_for: Variant, row: Variant) -> bool:
    """Whether the ballots of a deck are legal in the other variant, and name the same squares there."""
    return (made_for.start, made_for.board, made_for.rules, made_for.notation.first_square) == (
        row.start,
        row.board,
        row.rules,
        row.notation.first_square,
    )


def openings_of(variant: str | Variant, count: int, *, seed: int = 0, plies: int = 6) -> list[Position]:
    """Balanced positions to start games from: ballots of a deck first, then random openings of some plies.

    A short search finds neither side of a random opening ahead by more than a man and a half.
    """
    dice = random.Random(seed)
    deck = deck_of(variant)
    openings = [] if deck is None else [ballot.position(variant) for ballot in deck.playable]
    dice.shuffle(openings)
    seen = set(openings)
    engine = Engine(variant, megabytes=1)
    for _ in range(50 * count):
        if len(openings) >= count:
            break
        position = _random_opening(variant, plies, dice)
        if position is None or position in seen:
            continue
        score = engine.analyse(position, nodes=2000).score
        if score is not None and abs(score.value) <= _MAX_ADVANTAGE:
            seen.add(position)
            openings.append(position)
    return openings[:count]


def play_game(
    start: Position,
    first: Player,
    second: Player,
    draw_rules: DrawRules | str = "official",
    referee: Tables | None = None,
) -> float:
    """A game; the points of ``first``, who is to move at the start. Long games are drawn.

    A ``referee`` ends the game as soon as these endgame tables know who wins, whatever the draw rules.
    """
    game = Game(start.variant, start=start, draw_rules=draw_rules)
    players = (first, second)
    for player in players:
        player.begin()
    while game.outcome() is None and len(game.moves) < _MAX_PLIES and not game.claimable_draws():
        known = None if referee is None else referee.probe(game.position)
        if known is not None:
            return _POINTS[known.result] if game.position.turn is start.turn else 1 - _POINTS[known.result]
        game.push(players[len(game.moves) % 2].move(game))
    outcome = game.outcome()
    if outcome is None or outcome.winner is None:
        return 0.5
    return 1.0 if outcome.winner is start.turn else 0.0


def play_match(
    openings: Iterable[Position],
    make: Callable[[], tuple[Player, Player]],
    *,
    test: SPRT | None = None,
    threads: int = 1,
    draw_rules: DrawRules | str = "official",
    referee: Tables | None = None,
) -> Iterator[Tally]:
    """The tally after each pair, until the openings are used up or the test has its verdict.

    ``make`` gives a pair of players to each of the ``threads``. A ``referee`` ends games as in ``play_game``.
    """
    free: SimpleQueue[tuple[Player, Player]] = SimpleQueue()
    for _ in range(threads):
        free.put(make())

    def pair(start: Position) -> tuple[float, float]:
        one, other = free.get()
        try:
            first = play_game(start, one, other, draw_rules, referee)
            return first, 1 - play_game(start, other, one, draw_rules, referee)
        finally:
            free.put((one, other))

    tally = Tally()
    with ThreadPoolExecutor(threads) as pool:
        for batch in _batches(list(openings), threads):
            for points in pool.map(pair, batch):
                tally = tally.with_pair(*points)
                yield tally
            if test is not None and test.verdict(tally) is not None:
                return


def _batches(openings: Sequence[Position], size: int) -> Iterator[Sequence[Position]]:
    for begin in range(0, len(openings), size):
        yield openings[begin : begin + size]


def _random_opening(variant: str | Variant, plies: int, dice: random.Random) -> Position | None:
    position = Position.start(variant)
    for _ in range(plies):
        moves = position.legal_moves()
        if not moves:
            return None
        position = position.play(dice.choice(moves))
    return position if position.outcome() is None else None
