"""A problem: a position in which one move alone wins or draws, with its solution and the proof of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

from crownhead.rules.errors import CrownheadError
from crownhead.rules.position import Position

_ID_LENGTH = 10  # hexadecimal digits: one chance in a million that two of 1,500 problems share theirs


class BadProblem(CrownheadError):
    """A line that holds no problem."""


class Goal(StrEnum):
    """What the side to move is to reach."""

    WIN = "win"  # by a forced line, or by endgame tables
    GAIN = "gain"  # a decisive advantage, by search
    DRAW = "draw"  # by endgame tables
    HOLD = "hold"  # a level game where every other move loses, by search

    @property
    def is_level(self) -> bool:
        """Whether the solver is to hold, not to win."""
        return self in {Goal.DRAW, Goal.HOLD}


class ProblemTheme(StrEnum):
    """What a problem is about; ``themes.py`` says how each is recognised."""

    SHOT = "shot"
    BREAKTHROUGH = "breakthrough"
    BRIDGE = "bridge"
    OPPOSITION = "opposition"
    ENDING = "ending"


class Evidence(StrEnum):
    """What proves the result."""

    TABLE = "table"
    FORCED = "forced"  # a forced line to the end of the game
    SEARCH = "search"


@dataclass(frozen=True, slots=True)
class Proof:
    """Why the move is the only one.

    ``best`` and ``second`` are the scores of the solution and of the best other move, in hundredths of a man
    for the side to move, as ``engine.Score``; ``depth`` is in plies. They are those of the search of
    ``checked`` positions that confirmed what one of ``nodes`` positions had found.
    """

    evidence: Evidence
    depth: int
    nodes: int
    checked: int
    best: int
    second: int


@dataclass(frozen=True)
class Problem:
    """A problem. ``line`` is the solution: moves with full paths, the solver's and the defence's in turn.

    It ends with a move of the solver. ``difficulty`` is on the scale of ratings, 1500 in the middle.
    """

    variant: str
    fen: str
    goal: Goal
    line: tuple[str, ...]
    themes: tuple[ProblemTheme, ...]
    difficulty: int
    proof: Proof
    source: str

    @cached_property
    def key(self) -> str:
        """The identity: the same position of the same variant has it for ever."""
        return key_of(self.variant, self.fen)

    def position(self) -> Position:
        """Where the solver is to move; raises ``CrownheadError`` for a variant that is not known."""
        return Position.from_fen(self.fen, self.variant)

    def positions(self) -> tuple[Position, ...]:
        """The position before each move of the line, and that after the last; raises ``CrownheadError``."""
        position = self.position()
        reached = [position]
        for text in self.line:
            position = position.play(text)
            reached.append(position)
        return tuple(reached)


def key_of(variant: str, fen: str) -> str:
    """The key of the problem in a position."""
    return hashlib.sha256(f"{variant} {fen}".encode()).hexdigest()[:_ID_LENGTH]


def written(problem: Problem) -> str:
    """A problem as one line of JSON."""
    row = asdict(problem)
    row["line"] = " ".join(problem.line)
    row["themes"] = list(problem.themes)
    row["proof"] = [problem.proof.evidence, *list(asdict(problem.proof).values())[1:]]
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"))


def read(lines: Iterable[str]) -> Iterator[Problem]:
    """The problems of lines of JSON; raises ``BadProblem``, which names the line."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield _problem(json.loads(line))
            except (ValueError, TypeError, KeyError) as error:
                raise BadProblem(f"line {number}: expected a problem, got {line.strip()!r:.80}") from error


def _problem(row: dict[str, Any]) -> Problem:
    evidence, depth, nodes, checked, best, second = row["proof"]
    return Problem(
        variant=str(row["variant"]),
        fen=str(row["fen"]),
        goal=Goal(row["goal"]),
        line=tuple(row["line"].split()),
        themes=tuple(ProblemTheme(theme) for theme in row["themes"]),
        difficulty=int(row["difficulty"]),
        proof=Proof(Evidence(evidence), int(depth), int(nodes), int(checked), int(best), int(second)),
        source=str(row["source"]),
    )
