"""How the engine learns a variant: it plays itself, and fits the worth of what it saw to the results.

A folder holds all there is: the positions of each round in parts (``round-000-000.samples``), the weights
fitted to all of them so far (``round-000.bin``) with what they brought (``round-000.json``), the newest once
more (``weights.bin``) and as the package ships them (``<variant>.weights``). A part that is there is not
played again, and a round that has been fitted is over: what was stopped goes on.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import cycle
from pathlib import Path
from typing import Any

from crownhead._kernel import Lesson
from crownhead.engine.certainty import certain_wins
from crownhead.engine.endings import endings_of
from crownhead.engine.matches import deck_of
from crownhead.engine.tables import Tables
from crownhead.engine.tables.available import available
from crownhead.engine.weights import SUFFIX, pack
from crownhead.rules.errors import CrownheadError
from crownhead.rules.lookup import variant_of
from crownhead.rules.position import Position

WEIGHTS = "weights.bin"
PART = 2000  # games
_FIT: dict[str, Any] = {"rate": 0.2, "spread": 80.0}  # see FitOptions in the kernel


@dataclass(frozen=True, slots=True)
class Course:
    """What is to be played: ``rounds`` of ``games``, at ``nodes`` a move, after up to ``random_plies``.

    With ``tables`` the endgame tables that there are tell results: games end where these know them, and the
    fit learns of positions with few pieces what is proven. The fit goes over all positions ``epochs`` times;
    ``trust`` is the share of the games' results in what it aims at, the rest is what the search thought.
    The fit of the last round leaves out the rounds before ``since``, whose players knew little, and counts
    the positions of the last ``newest`` times, as is due where they were looked at more deeply.
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
    tables: bool = True
    since: int = 0
    newest: int = 1

    def is_last(self, number: int) -> bool:
        """Whether no round comes after this one."""
        return number == self.rounds - 1

    def opened(self) -> Tables | None:
        """The endgame tables that are asked; None: there are none, or they shall not be."""
        return available(self.variant) if self.tables else None


@dataclass(frozen=True, slots=True)
class Lap:
    """What a round brought: the positions learned from in all, and how well their results are foretold.

    Of ``tabled`` positions, those held back among them, endgame tables have told the result. Losses are
    means, lower is better: ``loss`` while learning, ``unseen`` of positions that were held back, ``counted``
    of the same where pieces are only counted.
    """

    number: int
    positions: int
    tabled: int
    loss: float
    unseen: float
    counted: float


@dataclass(frozen=True, slots=True)
class Part:
    """Some games of a round: all there is to know to play them, anywhere, with the same outcome.

    ``pieces`` are the most that the endgame tables must know, 0 where none are to be asked.
    """

    course: Course
    round: int
    number: int
    games: int
    weights: bytes
    pieces: int

    @property
    def name(self) -> str:
        """Of its file."""
        return f"round-{self.round:03}-{self.number:03}.samples"


Crew = Callable[[Iterable[Part]], Iterator[tuple[Part, bytes]]]


def alone(parts: Iterable[Part]) -> Iterator[tuple[Part, bytes]]:
    """The crew of this process: plays one part after the other."""
    for part in parts:
        yield part, play(part)


def train(course: Course, folder: Path, *, crew: Crew = alone) -> Iterator[Lap]:
    """Play and fit round after round; each round's games are played with the weights of the one before.

    ``crew`` plays the parts that are missing, in any order. Raises ``CrownheadError`` where no round is left
    to learn from.
    """
    if not 0 <= course.since < course.rounds:
        raise CrownheadError(f"expected one of {course.rounds} rounds to begin with, got {course.since + 1}")
    folder.mkdir(parents=True, exist_ok=True)
    weights = b""
    for number in range(course.rounds):
        told = _lap_before(course, folder, number)
        if told is None:
            for part, samples in crew(_missing(course, folder, number, weights)):
                _write(folder / part.name, samples)
        lap = told or _fit(course, folder, number)
        weights = (folder / f"round-{number:03}.bin").read_bytes()
        if told is None or course.is_last(number):
            _publish(folder, course.variant, weights)
        yield lap


def play(part: Part) -> bytes:
    """The positions of a part's games. Raises ``CrownheadError`` where the endgame tables are others."""
    course = part.course
    tables = course.opened()
    most = 0 if tables is None else tables.most
    if most != part.pieces:
        raise CrownheadError(f"expected endgame tables of up to {part.pieces} pieces, got some of {most}")
    seed = (course.seed * 1000 + part.round) * 1000 + part.number
    return Lesson(course.variant).play(
        starts_of(course.variant, part.round, seed),
        part.weights,
        games=part.games,
        nodes=course.nodes,
        random_plies=course.random_plies,
        seed=seed,
        threads=course.threads,
        **_evidence(course.variant, tables),
    )


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


def _missing(course: Course, folder: Path, number: int, weights: bytes) -> Iterator[Part]:
    """The parts of a round that are still to be played."""
    tables = course.opened()
    for order, begun in enumerate(range(0, course.games, PART)):
        games = min(PART, course.games - begun)
        part = Part(course, number, order, games, weights, 0 if tables is None else tables.most)
        if not (folder / part.name).exists():
            yield part


def _evidence(variant: str, tables: Tables | None) -> dict[str, Any]:
    """What the kernel is told of endgame tables: themselves, and for how many plies a win is safe."""
    if tables is None:
        return {}
    row = variant_of(variant)
    within = [certain_wins(row.draws, pieces) for pieces in range(row.board.squares + 1)]
    return {"tables": tables.kernel, "within": within}


def _fit(course: Course, folder: Path, number: int) -> Lap:
    """Fit to the rounds up to this one; keep its weights, and what they brought."""
    last = course.is_last(number)
    rounds = range(course.since if last else 0, number + 1)
    files = [file for earlier in rounds for file in sorted(folder.glob(f"round-{earlier:03}-*.samples"))]
    if last:
        files += sorted(folder.glob(f"round-{number:03}-*.samples")) * (course.newest - 1)
    weights, positions, tabled, loss, unseen, counted = Lesson(course.variant).fit(
        [file.read_bytes() for file in files],
        **_FIT,
        epochs=course.epochs,
        trust=course.trust,
        seed=course.seed,
        **_evidence(course.variant, course.opened()),
    )
    lap = Lap(number, positions, tabled, loss, unseen, counted)
    _write(folder / f"round-{number:03}.bin", weights)
    _write(folder / f"round-{number:03}.json", json.dumps({"lap": asdict(lap), "aim": _aim(course)}).encode())
    return lap


def _aim(course: Course) -> dict[str, Any]:
    """What makes a fit what it is; with other aims it is another one."""
    return {"epochs": course.epochs, "trust": course.trust, "seed": course.seed, **_span(course)}


def _span(course: Course) -> dict[str, int]:
    """What of it is asked of the last round alone."""
    return {"since": course.since, "newest": course.newest}


def _lap_before(course: Course, folder: Path, number: int) -> Lap | None:
    """What a round brought that has been fitted with the same aim; None: it is still to be played."""
    try:
        kept = json.loads((folder / f"round-{number:03}.json").read_text("utf-8"))
        aim = {**_span(Course(course.variant)), **kept["aim"]}  # older versions told less
        if not course.is_last(number):
            aim |= _span(course)
        if aim != _aim(course) or not (folder / f"round-{number:03}.bin").exists():
            return None
        return Lap(**kept["lap"])
    except (OSError, ValueError, KeyError, TypeError):
        return None  # fitted by an older version, or cut off


def _publish(folder: Path, variant: str, weights: bytes) -> None:
    """Keep the newest weights where they are looked for, also in the form that can be shipped."""
    _write(folder / WEIGHTS, weights)
    _write(folder / f"{variant}{SUFFIX}", pack(weights, variant))


def _write(path: Path, content: bytes) -> None:
    """Whole or not at all, so that a part that was cut off is played again."""
    handle, draft = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
    Path(draft).replace(path)
