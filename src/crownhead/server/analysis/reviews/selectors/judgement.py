"""How good a move was: by what it takes from the result that can be expected.

A score becomes an expected result, from 0, a loss, to 1, a win: one half where both stand alike, 0.85 with
a man more, about as in games of equal players. A move that gives away a tenth of a point is inaccurate, one
that gives away a fifth a mistake, three tenths a blunder.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from crownhead.engine import Score

_STEEPNESS = 57.0  # hundredths of a man for a step of e in the odds
INACCURATE, MISTAKEN, BLUNDERED = 0.1, 0.2, 0.3


class Grade(StrEnum):
    """What is wrong with a move."""

    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A move: the result to be expected before it and after it, for the one who made it."""

    before: float
    after: float
    grade: Grade

    @property
    def loss(self) -> float:
        """What it gave away."""
        return max(self.before - self.after, 0.0)


def expected(score: Score) -> float:
    """The result to be expected, from 0 to 1, for the side to move."""
    if score.is_forced:
        return 1.0 if score.value > 0 else 0.0
    return 1 / (1 + math.exp(-score.value / _STEEPNESS))


def judge(scores: Sequence[Score], best: Sequence[bool]) -> list[JudgedMove]:
    """The moves of a game, from the scores of all its positions; ``best``: the engine would have made it."""
    judged = []
    for here, after, right in zip(scores, scores[1:], best, strict=False):
        before, later = expected(here), 1 - expected(after)
        loss = 0.0 if right else before - later
        judged.append(JudgedMove(before, later if not right else max(later, before), _grade(loss)))
    return judged


def accuracy(moves: Sequence[JudgedMove]) -> float:
    """The share of what could be expected that a player kept, from 0 to 1."""
    return 1 - sum(move.loss for move in moves) / len(moves) if moves else 1.0


def _grade(loss: float) -> Grade:
    for least, grade in (
        (BLUNDERED, Grade.BLUNDER),
        (MISTAKEN, Grade.MISTAKE),
        (INACCURATE, Grade.INACCURACY),
    ):
        if loss >= least:
            return grade
    return Grade.GOOD
