"""How the engine learns a variant: it plays itself, and fits the worth of what it saw to the results.

A folder holds all there is: the positions of each round in parts (``round-000-000.samples``), the weights
fitted to all of them (``weights.bin``) and the same as the package ships them (``<variant>.weights``). A part
that is there is not played again: what was stopped goes on, and parts may come from several machines.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

from crownhead._kernel import Lesson
from crownhead.engine.endings import endings_of
from crownhead.engine.matches import deck_of
from crownhead.engine.weights import SUFFIX, pack
from crownhead.rules.position import Position

WEIGHTS = "weights.bin"
PART = 2000  # games
_FIT = {"rate": 0.2, "spread": 80.0}  # see FitOptions in the kernel


@dataclass(frozen=True, slots=True)
class Course:
    """What is to be played: ``rounds`` of ``games``, at ``nodes`` a move, after up to ``random_plies``.

    The fit goes over all positions ``epochs`` times; ``trust`` is the share of the games' results in what it
    aims at, the rest is what the search thought of the position.
    """

    variant: str
    rounds: int = 4
    games: int = 10_000
    nodes: int = 512
    random_plies: int = 8
    threads: int = 1
    epochs: int = 8
    trust: float = 0.1
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Lap:
    """What a round brought: the positions learned from in all, and how well their results are foretold.

    Losses are means, lower is better: ``loss`` while learning, ``unseen`` of positions that were held back,
    ``counted`` of the same where pieces are only counted.
    """

    number: int
    positions: int
    loss: float
    unseen: float
    counted: float


def train(course: Course, folder: Path) -> Iterator[Lap]:
    """Play and fit round after round; each round's games are played with the weights of the one before."""
    folder.mkdir(parents=True, exist_ok=True)
    lesson = Lesson(course.variant)
    for number in range(course.rounds):
        weights = _fitted_before(lesson, course, folder, number)
        for part, games in enumerate(_parts(course.games)):
            file = folder / f"round-{number:03}-{part:03}.samples"
            if not file.exists():
                _write(file, _played(lesson, course, weights, number=number, part=part, games=games))
        yield _fit(lesson, course, folder, number)


def starts_of(variant: str, number: int, seed: int) -> list[Position]:
    """Where the games of a part of a round begin, in turn.

    That is the start of the variant, with the ballots of a deck made for it. From the second round on, when
    the engine knows something, every fourth game is an ending.
    """
    deck = deck_of(variant)
    start = Position.start(variant)
    openings = [start] if deck is None else [start, *(ballot.position(variant) for ballot in deck.ballots)]
    endings = endings_of(variant, PART // 4, seed=seed) if number else []
    if not endings:
        return [position for opening in openings for position in (start, opening)]
    turns = cycle(openings)
    return [position for ending in endings for position in (start, next(turns), next(turns), ending)]


def _parts(games: int) -> list[int]:
    """How many games each part of a round has."""
    return [min(PART, games - begun) for begun in range(0, games, PART)]


def _fitted_before(lesson: Lesson, course: Course, folder: Path, number: int) -> bytes:
    """The weights that a round is played with; those on disk may be of a later round."""
    if number == 0:
        return b""
    file = folder / f"round-{number - 1:03}.bin"
    if not file.exists():
        _fit(lesson, course, folder, number - 1)
    return file.read_bytes()


def _played(lesson: Lesson, course: Course, weights: bytes, *, number: int, part: int, games: int) -> bytes:
    seed = (course.seed * 1000 + number) * 1000 + part
    return lesson.play(
        starts_of(course.variant, number, seed),
        weights,
        games=games,
        nodes=course.nodes,
        random_plies=course.random_plies,
        seed=seed,
        threads=course.threads,
    )


def _fit(lesson: Lesson, course: Course, folder: Path, number: int) -> Lap:
    """Fit to all rounds up to this one; keep its weights, also in the form that can be shipped."""
    rounds = {f"round-{earlier:03}" for earlier in range(number + 1)}
    files = sorted(file for file in folder.glob("round-*-*.samples") if file.name[:9] in rounds)
    weights, positions, loss, unseen, counted = lesson.fit(
        [file.read_bytes() for file in files],
        **_FIT,
        epochs=course.epochs,
        trust=course.trust,
        seed=course.seed,
    )
    _write(folder / f"round-{number:03}.bin", weights)
    _write(folder / WEIGHTS, weights)
    _write(folder / f"{course.variant}{SUFFIX}", pack(weights, course.variant))
    return Lap(number, positions, loss, unseen, counted)


def _write(path: Path, content: bytes) -> None:
    """Whole or not at all, so that a part that was cut off is played again."""
    handle, draft = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
    Path(draft).replace(path)
