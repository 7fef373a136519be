"""How the engine learns a variant: it plays itself, and fits the worth of what it saw to the results.

A folder holds all there is: the positions of each round (``round-000.samples``) and the weights fitted to
all of them (``weights.bin``). A round that is there is not played again: what was stopped goes on.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from crownhead._kernel import Lesson
from crownhead.rules.position import Position

WEIGHTS = "weights.bin"


@dataclass(frozen=True, slots=True)
class Course:
    """What is to be played: ``rounds`` of ``games``, at ``nodes`` a move, after up to ``random_plies``."""

    variant: str
    rounds: int = 4
    games: int = 10_000
    nodes: int = 1000
    random_plies: int = 8
    threads: int = 1
    epochs: int = 8
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Lap:
    """What a round brought: the bytes of positions in all, and the mean loss of the fit (lower is better)."""

    number: int
    positions: int
    loss: float


def train(course: Course, folder: Path) -> Iterator[Lap]:
    """Play and fit round after round; each round's games are played with the weights of the one before."""
    folder.mkdir(parents=True, exist_ok=True)
    lesson = Lesson(course.variant)
    for number in range(course.rounds):
        samples = folder / f"round-{number:03}.samples"
        if not samples.exists():
            _write(samples, _played(lesson, course, number, _weights(folder)))
        parts = [(folder / f"round-{earlier:03}.samples").read_bytes() for earlier in range(number + 1)]
        weights, loss = lesson.fit(parts, epochs=course.epochs, seed=course.seed)
        _write(folder / WEIGHTS, weights)
        yield Lap(number, sum(map(len, parts)) // lesson.sample_bytes, loss)


def _played(lesson: Lesson, course: Course, number: int, weights: bytes) -> bytes:
    return lesson.play(
        [Position.start(course.variant)],
        weights,
        games=course.games,
        nodes=course.nodes,
        random_plies=course.random_plies,
        seed=course.seed + number,
        threads=course.threads,
    )


def _weights(folder: Path) -> bytes:
    file = folder / WEIGHTS
    return file.read_bytes() if file.exists() else b""


def _write(path: Path, content: bytes) -> None:
    """Whole or not at all, so that a round that was cut off is played again."""
    handle, draft = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
    Path(draft).replace(path)
