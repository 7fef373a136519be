"""What this machine can do at best: builds ceiling.cpp and runs it, `python benchmarks/ceiling.py FOLDER`.

It is perft written apart from the kernel for two games and nothing else, so that the kernel's figures have
a ceiling in the same run. ``DCTL`` are figures of the fastest generator published, which no package index
has; they were measured beside such a program on another machine, and only their ratio to it means anything
here.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from counts import deepest
from figures import Figure, emit

HERE = Path(__file__).resolve().parent
GAMES = ("american", "international")
ENOUGH = 40_000_000  # nodes
# Million nodes a second in bulk. In American checkers a program like ours counted 262 beside it, which in
# one run with ours counts 255 where ours counts 302.
CEILING_BESIDE_DCTL = 262 * 302 / 255
DCTL = {
    "american": 183,
    "international": 247,
    "brazilian": 155,
    "russian": 152,
    "pool": 153,
    "italian": 137,
    "spanish": 146,
    "czech": 167,
    "frisian": 122,
    "killer": 225,
    "canadian": 98,
}


def build(folder: Path) -> Path:
    """The ceiling, compiled as the kernel is."""
    program = folder / "ceiling"
    command = [os.environ.get("CXX", "c++"), "-std=c++20", "-O3", "-march=x86-64-v2"]
    subprocess.run([*command, str(HERE / "ceiling.cpp"), "-o", str(program)], check=True)
    return program


def measure(program: Path, game: str, *, bulk: bool) -> Figure:
    """One count from the start array, checked against the suite."""
    depth, expected = deepest(game, within=ENOUGH)
    way = "bulk" if bulk else "leaves"
    done = subprocess.run([program, game, str(depth), way], capture_output=True, text=True, check=True)
    nodes, seconds = done.stdout.split()
    if int(nodes) != expected:
        raise SystemExit(f"the ceiling, {game}, depth {depth}: expected {expected} nodes, got {nodes}")
    return Figure("perft, bulk" if bulk else "perft, leaf by leaf", game, int(nodes), float(seconds))


def main() -> None:
    """Measure both games both ways."""
    program = build(Path(sys.argv[1]))
    for game in GAMES:
        emit(measure(program, game, bulk=True))
        emit(measure(program, game, bulk=False))


if __name__ == "__main__":
    main()
