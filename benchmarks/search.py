"""Measures the search beside others, and two threads beside one: `python benchmarks/search.py --help`.

Writes two sections of results/. Nodes a second are counted by CPU time, engines by turns. Threads are
compared by the clock on the wall, on a machine that should have nothing else to do: the best of several runs.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median

from crownhead import VARIANTS, Position
from crownhead.engine import Engine
from figures import Figure, taken
from material import SEED
from run import BUILD, HERE, PEERS, python_of
from search_nodes import SEARCHERS
from sections import SEARCH, THREADS, provenance, table, write_section

POSITIONS = 8  # of each variant
PLIES = 4  # random ones between one and the next
DEPTHS = {"american": 18, "international": 15, "russian": 15}
MEGABYTES = 128


def positions(variant: str) -> list[Position]:
    """The start array, then deeper and deeper into random games."""
    rng = Random(SEED)
    found: list[Position] = []
    while len(found) < POSITIONS:
        position = Position.start(variant)
        for _ in range(PLIES * len(found)):
            if position.legal_moves():
                position = position.play(rng.choice(position.legal_moves()))
        if len(position.legal_moves()) > 1:
            found.append(position)
    return found


def beside_others(rounds: int) -> str:
    """Nodes a second of each engine."""
    variants = SEARCHERS["crownhead"][1]
    file = BUILD / "search.json"
    BUILD.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({key: [one.fen() for one in positions(key)] for key in variants}), "utf-8")
    figures: dict[tuple[str, str], list[Figure]] = defaultdict(list)
    for number in range(1, rounds + 1):
        for name in SEARCHERS:
            print(f"round {number} of {rounds}: {name}", flush=True)
            for figure in _measured(name, file):
                figures[name, figure.variant].append(figure)
    rows = []
    for key in variants:
        ours = median(figure.rate for figure in figures["crownhead", key])
        cells = [VARIANTS[key].name, f"{ours / 1e6:.2f} M"]
        for name in list(SEARCHERS)[1:]:
            rates = [figure.rate for figure in figures.get((name, key), [])]
            cells += (
                [f"{median(rates) / 1e3:.1f} k", f"× {ours / median(rates):,.0f}"] if rates else ["–", "–"]
            )
        rows.append(cells)
    titles = ["variant", "crownhead"]
    for name in list(SEARCHERS)[1:]:
        titles += [name, "ratio"]
    text = f"""{provenance("search.py")}
Nodes a second of CPU time, one thread, {POSITIONS} positions of each variant, the median of {rounds} rounds;
py-draughts {PEERS["py-draughts"]}. Ours uses its trained evaluation, without endgame tables. Engines differ
in what they count as a node."""
    return f"{text}\n\n{table(titles, rows)}"


def _measured(name: str, file: Path) -> list[Figure]:
    python = python_of(name.split()[0])
    done = subprocess.run(
        [python, HERE / "search_nodes.py", name, file], capture_output=True, text=True, check=True
    )
    return [taken(line) for line in done.stdout.splitlines()]


@dataclass(frozen=True, slots=True)
class Taken:
    """Seconds on the wall, and of CPU time of all threads together."""

    wall: float
    work: float


def taken_to(position: Position, depth: int, threads: int) -> Taken:
    """The time of an engine with an empty transposition table to reach a depth."""
    engine = Engine(position.variant_key, megabytes=MEGABYTES, tables=False)
    engine.analyse(Position.start(position.variant_key), depth=8)  # takes the memory
    engine.forget()
    wall, work = time.perf_counter(), time.process_time()
    engine.analyse(position, depth=depth, threads=threads)
    return Taken(time.perf_counter() - wall, time.process_time() - work)


def two_threads(rounds: int) -> str:
    """How much faster two threads reach a depth than one (Lazy SMP)."""
    rows = []
    for key, depth in DEPTHS.items():
        walls, works = {1: 0.0, 2: 0.0}, {1: 0.0, 2: 0.0}
        for position in positions(key):
            for threads in (1, 2):
                runs = [taken_to(position, depth, threads) for _ in range(rounds)]
                walls[threads] += min(run.wall for run in runs)
                works[threads] += median(run.work for run in runs)
        cells = [VARIANTS[key].name, f"{depth}"]
        for times in (walls, works):
            cells += [f"{times[1]:.2f} s", f"{times[2]:.2f} s"]
        rows.append([*cells, f"× {walls[1] / walls[2]:.2f}", f"× {2 * works[1] / works[2]:.2f}"])
        print(" | ".join(rows[-1]), flush=True)
    text = f"""{provenance("search.py")} Load at the start: {os.getloadavg()[0]:.1f}.
To the same depth over {POSITIONS} positions: wall-clock time, the best of {rounds} runs of each, and CPU
time of all threads, the median. *Quicker* is the ratio of wall-clock times, *with cores to themselves* the
ratio to expect if both threads ran all the time."""
    measured = ["one, wall", "two, wall", "one, CPU", "two, CPU"]
    titles = ["variant", "depth", *measured, "quicker", "with cores to themselves"]
    return f"{text}\n\n{table(titles, rows)}"


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", choices=["others", "threads"], help="one of the two sections")
    parser.add_argument("--rounds", type=int, default=3, help="of each measurement (default: 3)")
    chosen = parser.parse_args()
    if chosen.only != "threads":
        write_section(SEARCH, beside_others(chosen.rounds))
    if chosen.only != "others":
        write_section(THREADS, two_threads(chosen.rounds))


if __name__ == "__main__":
    main()
