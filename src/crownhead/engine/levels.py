"""Ten levels of play for people: the lower, the less far it looks, and the less sure it is of what it sees.

A level overlooks what people overlook. It looks as far as its attention reaches in this move, a few plies, or
at its own move alone; what lies beyond does not exist for it. Among moves that look much alike it takes any,
the more freely the lower the level. It never throws away what it has seen: a piece, or the game.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from crownhead.engine.thinking import Engine, Subject, position_of
from crownhead.rules import Move, Position
from crownhead.rules.schema import Objective, Variant

_MAN, _CROWN = 100, 150  # hundredths of a man
_MOST_LINES = 64


@dataclass(frozen=True, slots=True)
class Level:
    """How well to play: how far to look, and how freely to choose.

    One of the ``horizons`` is drawn for each move: plies to look ahead, nought being one's own move alone.
    ``doubt`` is by how much two moves must differ, in hundredths of a man, for the better to be rather sure.
    ``nodes`` bounds the work of a move. Without horizons the engine plays as well as it can for ``seconds``.
    """

    number: int
    horizons: tuple[int, ...]
    doubt: float
    nodes: int | None
    seconds: float | None = None


LEVELS = (
    Level(1, (0, 0, 0, 1), 50, 20_000),
    Level(2, (0, 0, 1), 45, 20_000),
    Level(3, (0, 1, 1, 1), 40, 20_000),
    Level(4, (1, 1, 2), 32, 50_000),
    Level(5, (1, 2, 3), 25, 50_000),
    Level(6, (3, 4), 18, 100_000),
    Level(7, (5, 6), 12, 200_000),
    Level(8, (7, 8), 8, 400_000),
    Level(9, (10, 11), 4, 1_000_000),
    Level(10, (), 0, None, 2.0),
)


def level_of(number: int) -> Level:
    """The level of a number; raises ``ValueError``."""
    if not 1 <= number <= len(LEVELS):
        raise ValueError(f"expected a level from 1 to {len(LEVELS)}, got {number!r}")
    return LEVELS[number - 1]


def choose(
    engine: Engine,
    subject: Subject,
    *,
    level: int,
    dice: random.Random | None = None,
    seconds: float | None = None,
) -> Move:
    """The move of a level. With the same ``dice`` it is the same below the highest level, every time.

    Without any dice the position itself decides. ``seconds`` bounds the highest level's search, whose own
    bound is two seconds. Raises ``ValueError`` for an unknown level, or where there is no move.
    """
    wanted, position = level_of(level), position_of(subject)
    legal = position.legal_moves()
    if not legal:
        raise ValueError("expected a position with a legal move, got one where the game is over")
    if len(legal) == 1:
        return legal[0]
    if not wanted.horizons:
        return engine.play(subject, seconds=wanted.seconds if seconds is None else seconds)
    chance = random.Random(position.fen()) if dice is None else dice
    horizon = chance.choice(wanted.horizons)
    if horizon == 0:
        return _preferred(_at_a_glance(position, legal), wanted.doubt, chance)
    return _looked_ahead(engine, subject, wanted, horizon, chance)


def _looked_ahead(
    engine: Engine, subject: Subject, level: Level, horizon: int, chance: random.Random
) -> Move:
    """The move that seems best after so many plies, or one that looks much like it."""
    engine.forget()  # what another search saw must not reach beyond the horizon
    lines = min(len(position_of(subject).legal_moves()), _MOST_LINES)
    report = engine.analyse(subject, depth=horizon, nodes=level.nodes, lines=lines, with_tables=False)
    best = report.lines[0]
    if best.score.win_in is not None:
        return best.moves[0]
    seen = [(line.moves[0], float(line.score.value)) for line in report.lines]
    return _preferred(seen, level.doubt, chance)


def _at_a_glance(position: Position, legal: tuple[Move, ...]) -> list[tuple[Move, float]]:
    """What each move gains by itself, whatever the answer may be."""
    wish = -1 if _wants_to_lose(position.variant) else 1
    return [(move, float(wish * (_MAN * len(move.captures) + _CROWN * move.crowns))) for move in legal]


def _wants_to_lose(variant: Variant) -> bool:
    return variant.rules.objective is Objective.MOVER_WINS


def _preferred(seen: list[tuple[Move, float]], doubt: float, chance: random.Random) -> Move:
    """One of the moves, drawn with weights that grow by e for each ``doubt`` of score."""
    best = max(score for _, score in seen)
    weights = [math.exp((score - best) / doubt) for _, score in seen]
    return chance.choices([move for move, _ in seen], weights)[0]
