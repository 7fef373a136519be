"""Plays the engine against itself in every variant, with clocks, for a day or any other time.

Run as ``python -m tests.nightly.engine_games``. Both sides are set up by chance: what they have learned,
their tables and threads, the size of their memory. Looked for are moves that are not legal, clocks that run
out, records that do not give the same game when read, wins that were proven and lost, crashes, and memory
that grows. What goes wrong is told with its seed, which ``--rounds 1 --seed SEED --variant VARIANT`` plays
again, as far as clocks let games be played again. Exit status 1 where anything does.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random

from crownhead import VARIANTS, Colour, Game, pdn
from crownhead.engine import Engine, Report
from crownhead.engine.clock import Clock
from crownhead.engine.report import WON

SPREAD = 1_000_003  # between the seeds of two rounds
LONGEST_GAME = 400  # plies
WARM_UP = 3  # rounds of a process, before its memory is compared
GROWTH = 64  # megabytes that a process may grow afterwards


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds on each clock and added per move; no move takes longer than ``most``."""

    clock: float = 3.0
    increment: float = 0.02
    most: float = 1.0
    plies: int = LONGEST_GAME


@dataclass(frozen=True, slots=True)
class Round:
    """One game of each variant, and the memory its process needs; ``faults`` give game and seed."""

    number: int
    process: int
    megabytes: float
    plies: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    faults: tuple[str, ...] = ()


class Fault(AssertionError):
    """Something that must not happen in a game."""


@dataclass(slots=True)
class Side:
    """A player: an engine with its own memory, its clock, and the results it has proven."""

    engine: Engine
    threads: int
    left: float
    won: bool = False

    def move(self, game: Game, pace: Pace) -> Report:
        """Think as long as the clock allows, and deduct the time; raises ``Fault`` if it runs out."""
        time_for_it = Clock(self.left, pace.increment).allowance.at_most(pace.most)
        begun = time.monotonic()
        report = self.engine.analyse(
            game, seconds=time_for_it.hard, soft_seconds=time_for_it.soft, threads=self.threads
        )
        self.left -= time.monotonic() - begun
        if self.left < 0:
            raise Fault(
                f"the clock ran out: at most {time_for_it.hard:.3f} s were meant for the move, "
                f"{-self.left:.3f} s too many"
            )
        self.left += pace.increment
        if report.proven and report.score is not None and report.score.win_in is not None:
            self.won = True
        return report


def play_round(keys: Sequence[str], number: int, seed: int, pace: Pace) -> Round:
    """A game of each variant."""
    plies, endings, faults = 0, Counter[str](), []
    for key in keys:
        try:
            game = play_game(key, seed, pace)
        except Exception as fault:  # whatever it is, it is told, and the next game begun
            faults.append(f"{key}, seed {seed}: {type(fault).__name__}: {fault}")
            continue
        plies += len(game.moves)
        outcome = game.outcome()
        endings[outcome.termination.value if outcome else "not finished"] += 1
    return Round(number, os.getpid(), resident(), plies, endings, tuple(faults))


def play_game(key: str, seed: int, pace: Pace) -> Game:
    """Play a game after some random plies; raises ``Fault`` if something goes wrong."""
    dice = Random(f"{key} {seed}")
    game = Game(key)
    for _ in range(dice.randrange(8)):
        if game.outcome() is None:
            game.push(dice.choice(game.position.legal_moves()))
    sides = {colour: Side(_engine(key, dice), _threads(dice), pace.clock) for colour in Colour}
    while game.outcome() is None and len(game.moves) < pace.plies:
        if game.claimable_draws() and dice.random() < 0.5:
            game.claim_draw()
            break
        _checked(game, sides[game.turn].move(game, pace))
    _compare(game, sides)
    return game


def _engine(key: str, dice: Random) -> Engine:
    """Create an engine with random settings: weights or none, tables or none, little memory."""
    weights = None if dice.random() < 0.7 else b""
    return Engine(key, megabytes=dice.choice((1, 2, 8)), weights=weights, tables=dice.random() < 0.8)


def _threads(dice: Random) -> int:
    return 2 if dice.random() < 0.2 else 1


def _checked(game: Game, report: Report) -> None:
    """Play the move of a report after checking that all its lines are legal."""
    position = game.position
    if report.move not in position.legal_moves():
        raise Fault(f"expected a legal move, got {report.move} in {position.fen()}")
    if report.score is None or abs(report.score.value) > WON:
        raise Fault(f"expected a score of at most {WON}, got {report.score} in {position.fen()}")
    for move in report.pv:
        if move not in position.legal_moves():
            raise Fault(f"expected a line of legal moves, got {move} in {position.fen()}")
        position = position.play(move)
    game.push(report.expect_move())


def _compare(game: Game, sides: dict[Colour, Side]) -> None:
    """Check that the record gives the same game, and that no proven win was lost."""
    outcome = game.outcome()
    (again,) = pdn.read(game.pdn())
    if again.moves != game.moves or again.position != game.position:
        raise Fault(f"expected the record to give the game again: {game.pdn()}")
    for colour, side in sides.items():
        if side.won and outcome is not None and outcome.winner is colour.opponent:
            raise Fault(f"{colour} lost what was proven to be won: {game.pdn()}")


def resident() -> float:
    """The memory of this process in megabytes."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


@dataclass(slots=True)
class Tally:
    """What all rounds have shown so far."""

    rounds: int = 0
    plies: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    memory: dict[int, list[float]] = field(default_factory=dict)

    def add(self, played: Round) -> None:
        """With one more round."""
        self.rounds += 1
        self.plies += played.plies
        self.endings += played.endings
        self.faults += played.faults
        self.memory.setdefault(played.process, []).append(played.megabytes)

    def leaks(self) -> Iterator[str]:
        """Processes that have grown since they were warm."""
        for process, sizes in self.memory.items():
            grown = sizes[-1] - max(sizes[:WARM_UP])
            if grown > GROWTH:
                yield f"process {process} grew by {grown:.0f} MB in {len(sizes) - WARM_UP} rounds"

    def report(self, *, seconds: float, seed: int) -> str:
        """How the games ended, what they needed, what went wrong."""
        largest = max((max(sizes) for sizes in self.memory.values()), default=0)
        wrong = [*self.faults, *self.leaks()]
        lines = [f"{name:<24}{count:>10,}" for name, count in self.endings.most_common()]
        lines.append(
            f"{sum(self.endings.values()):,} games, {self.plies:,} plies in {seconds:.0f} s, seed {seed}; "
            f"at most {largest:.0f} MB in a process: {len(wrong)} went wrong"
        )
        return "\n".join([*lines, *wrong]) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Play until time is up, and report; return 0 if nothing went wrong."""
    options = _parser().parse_args(arguments)
    begun, tally = time.monotonic(), Tally()
    try:
        for played in _rounds(options, begun + 3600 * options.hours):
            tally.add(played)
            for fault in played.faults:
                _log(f"{fault}\n")
            _log(f"{tally.rounds} rounds, {tally.plies:,} plies, {len(tally.faults)} faults")
    except BrokenProcessPool:
        tally.faults.append(f"a process died after {tally.rounds} rounds, seed {options.seed}")
    sys.stdout.write(tally.report(seconds=time.monotonic() - begun, seed=options.seed))
    return 1 if tally.faults or any(tally.leaks()) else 0


def _rounds(options: argparse.Namespace, end: float) -> Iterator[Round]:
    """Yield finished rounds; start new ones while there is time and more are wanted."""
    keys = options.variant or list(VARIANTS)
    pace = Pace(options.clock, options.increment)
    with ProcessPoolExecutor(options.processes) as pool:
        running: set[Future[Round]] = set()
        number = 0
        while True:
            while len(running) < options.processes and number < options.rounds and time.monotonic() < end:
                seed = options.seed + number * SPREAD
                running.add(pool.submit(play_round, keys, number, seed, pace))
                number += 1
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)


@cache
def _interactive() -> bool:
    return sys.stderr.isatty()


def _log(line: str) -> None:
    sys.stderr.write(f"{line:<60}" + ("\r" if _interactive() else "\n"))
    sys.stderr.flush()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.nightly.engine_games", description=__doc__)
    parser.add_argument("--hours", type=float, default=24.0, help="how long to begin new rounds (24)")
    parser.add_argument("--rounds", type=int, default=sys.maxsize, help="a game of each variant; no end")
    parser.add_argument("--variant", action="append", choices=list(VARIANTS), help="may be given again; all")
    parser.add_argument("--clock", type=float, default=3.0, help="seconds of each side (3)")
    parser.add_argument("--increment", type=float, default=0.02, help="seconds for each move (0.02)")
    parser.add_argument("--seed", type=int, default=1, help="of the games (1)")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="at a time")
    return parser


if __name__ == "__main__":
    sys.exit(main())
