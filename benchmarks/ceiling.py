"""What this machine can do at best: builds probe.cpp and runs it, `python benchmarks/ceiling.py FOLDER`.

The probe is perft written for two games and nothing else, so that the kernel's figures have a ceiling in
the same run. ``DCTL`` are figures of the fastest generator published, which no package index has;
they were measured beside such a probe on another machine, and only their ratio to it means anything here.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from counts import deepest
from figures import Figure, hand_over

HERE = Path(__file__).resolve().parent
GAMES = ("american", "international")
ENOUGH = 40_000_000  # nodes
# Million nodes a second in bulk; the probe of that machine counted 262 in American checkers.
PROBE_BESIDE_DCTL = 262
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
    """The probe, compiled as the kernel is."""
    probe = folder / "probe"
    command = [os.environ.get("CXX", "c++"), "-std=c++20", "-O3", "-march=x86-64-v2"]
    subprocess.run([*command, str(HERE / "probe.cpp"), "-o", str(probe)], check=True)
    return probe


def measure(probe: Path, game: str, *, bulk: bool) -> Figure:
    """One count from the start array, checked against the suite."""
    depth, expected = deepest(game, within=ENOUGH)
    way = "bulk" if bulk else "leaves"
    done = subprocess.run([probe, game, str(depth), way], capture_output=True, text=True, check=True)
    nodes, seconds = done.stdout.split()
    if int(nodes) != expected:
        raise SystemExit(f"the probe, {game}, depth {depth}: expected {expected} nodes, got {nodes}")
    return Figure("perft, bulk" if bulk else "perft, leaf by leaf", game, int(nodes), float(seconds))


def main() -> None:
    """Measure both games both ways."""
    probe = build(Path(sys.argv[1]))
    for game in GAMES:
        hand_over(measure(probe, game, bulk=True))
        hand_over(measure(probe, game, bulk=False))


if __name__ == "__main__":
    main()
