"""Ten levels of play: the lower, the shallower the search and the more random the choice among good moves.

A level overlooks what people overlook. For each move it searches a random number of plies from a small set,
or looks at its own move alone; it knows nothing of what lies beyond that horizon. Among moves with similar
scores it draws one (softmax), the more freely the lower the level. It never throws away a piece or a win
that it has seen.

Like people, a level has good and bad days: it plays like one of the levels next to it in half of its games,
like one two above or below in an eighth, as far as there are as many on either side (decision 69).
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from crownhead.engine.clock import Clock
from crownhead.engine.engine import Engine, Subject, position_of
from crownhead.engine.errors import EngineError
from crownhead.rules import Game, Move, Position
from crownhead.rules.schema import Objective, Variant

_MAN, _CROWN = 100, 150  # hundredths of a man
_MAX_LINES = 64
_FORMS, _OFTEN = (-2, -1, 0, 1, 2), (1, 4, 6, 4, 1)
_OPENING = 6  # plies of a game that decide the form of both sides


@dataclass(frozen=True, slots=True)
class Level:
    """How well to play: how deep to search, and how freely to choose.

    One of the ``horizons`` is drawn for each move: the depth of the search in plies, 0 being its own move
    alone. ``temperature`` is that of the softmax over the scores: the difference, in hundredths of a man,
    that makes the better move e times as likely. ``nodes`` bounds the search. Without horizons the engine
    plays as well as it can for ``seconds``.
    """

    number: int
    horizons: tuple[int, ...]
    temperature: float
    nodes: int | None
    seconds: float | None = None


LEVELS = (
    Level(1, (0, 0, 0, 1, 1, 1, 1, 1), 60, 20_000),
    Level(2, (0, 1, 1, 1, 2), 55, 20_000),
    Level(3, (0, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3), 45, 20_000),
    Level(4, (1, 1, 2, 2, 3), 32, 50_000),
    Level(5, (1, 2, 2, 3, 4, 5), 25, 50_000),
    Level(6, (2, 3, 4, 5, 6), 18, 100_000),
    Level(7, (4, 5, 7, 8), 12, 200_000),
    Level(8, (6, 8, 10, 11), 7, 400_000),
    Level(9, (11, 13, 15), 3, 1_000_000),
    Level(10, (), 0, None, 2.0),
)


def level_of(number: int) -> Level:
    """The level of a number; raises ``EngineError``."""
    if not 1 <= number <= len(LEVELS):
        raise EngineError(f"expected a level from 1 to {len(LEVELS)}, got {number!r}")
    return LEVELS[number - 1]


def level_in(subject: Subject, number: int) -> Level:
    """The level as which the side to move of a game plays: that of the number, or one near to it.

    How the game began decides it, so it needs no memory and stays from the sixth ply on. The lowest and the
    highest level are always themselves, as every level is for a position alone. Raises ``EngineError``.
    """
    usual, most = level_of(number), min(number - LEVELS[0].number, LEVELS[-1].number - number)
    if not isinstance(subject, Game) or not most:
        return usual
    opening = [move.path for move in subject.moves[:_OPENING]]
    dice = random.Random(f"{subject.positions[0].fen()} {opening} {subject.position.turn} {number}")
    often = [times if abs(form) <= most else 0 for form, times in zip(_FORMS, _OFTEN, strict=True)]
    return level_of(number + dice.choices(_FORMS, often)[0])


def choose(
    engine: Engine,
    subject: Subject,
    *,
    level: int,
    dice: random.Random | None = None,
    seconds: float | None = None,
    clock: Clock | None = None,
) -> Move:
    """The move of a level. With the same ``dice`` it is the same every time, but for the highest level.

    Without ``dice`` the position seeds the choice. In a game the level may be in good or bad form, as
    ``level_in`` says, so 8 and 9 may play as the highest, too; for a position alone it plays as it usually
    does. ``seconds`` bounds the highest level's search, whose own bound is two seconds; a ``clock`` may leave
    it less. Raises ``EngineError`` for an unknown level, or where there is no move.
    """
    wanted, position = level_in(subject, level), position_of(subject)
    legal = position.legal_moves()
    if not legal:
        raise EngineError("expected a position with a legal move, got one where the game is over")
    if len(legal) == 1:
        return legal[0]
    if not wanted.horizons:
        return engine.play(subject, seconds=wanted.seconds if seconds is None else seconds, clock=clock)
    rng = random.Random(position.fen()) if dice is None else dice
    horizon = rng.choice(wanted.horizons)
    if horizon == 0:
        return _draw_by_softmax(_material_gains(position, legal), wanted.temperature, rng)
    return _searched(engine, subject, wanted, horizon, rng)


def _searched(engine: Engine, subject: Subject, level: Level, horizon: int, rng: random.Random) -> Move:
    """A move with the best score of a search to so many plies, or a similar one."""
    engine.forget()  # entries of an earlier search would reach beyond the horizon
    lines = min(len(position_of(subject).legal_moves()), _MAX_LINES)
    report = engine.analyse(subject, depth=horizon, nodes=level.nodes, lines=lines, with_tables=False)
    best = report.lines[0]
    if best.score.win_in is not None:
        return best.moves[0]
    seen = [(line.moves[0], float(line.score.value)) for line in report.lines]
    return _draw_by_softmax(seen, level.temperature, rng)


def _material_gains(position: Position, legal: tuple[Move, ...]) -> list[tuple[Move, float]]:
    """The material that each move gains, without any search of the replies."""
    sign = -1 if _wants_to_lose(position.variant) else 1
    return [(move, float(sign * (_MAN * len(move.captures) + _CROWN * move.crowns))) for move in legal]


def _wants_to_lose(variant: Variant) -> bool:
    return variant.rules.objective is Objective.MOVER_WINS


def _draw_by_softmax(seen: list[tuple[Move, float]], temperature: float, rng: random.Random) -> Move:
    """One of the moves, drawn by softmax of the scores."""
    best = max(score for _, score in seen)
    weights = [math.exp((score - best) / temperature) for _, score in seen]
    return rng.choices([move for move, _ in seen], weights)[0]
