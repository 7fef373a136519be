"""Measures Crownhead beside its peers and writes results/kernel.md: `make bench`.

Each library lives in an environment of its own under build/bench-envs. The measurements run one at a time on
one core, interleaved over several rounds, and count CPU time; what is reported is the median of the rounds.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from figures import taken
from material import GAMES, Sample, write_positions, write_sample
from report import CEILING, Results, write_report

HERE = Path(__file__).resolve().parent
BUILD = HERE.parent / "build" / "bench-envs"
PEERS = {"py-draughts": "1.10.1", "pydraughts": "0.6.7"}
ROUNDS = 5
# How many games of the file lie between two that a library replays: the slow one gets a sample.
EVERY = {"crownhead": 1, "py-draughts": 10, "pydraughts": 500}


def python_of(library: str) -> Path:
    """The interpreter whose environment holds a library; makes the environment where it is missing."""
    if library not in PEERS:
        return Path(sys.executable)
    python = BUILD / library / "bin" / "python"
    requirement = f"{library}=={PEERS[library]}"
    if not (BUILD / library / requirement).exists():
        print(f"Installing {requirement} into {BUILD / library}.", flush=True)
        subprocess.run([sys.executable, "-m", "venv", "--clear", BUILD / library], check=True)
        subprocess.run(
            [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", requirement],
            check=True,
        )
        (BUILD / library / requirement).touch()
    return python


def tasks(positions: Path, samples: dict[str, Sample]) -> Iterator[tuple[str, list[str]]]:
    """Every measurement of a round: the library, and the script with its arguments."""
    yield CEILING, ["ceiling.py", str(BUILD)]
    for script in ("perft.py", "python_calls.py", "pdn_replay.py"):
        for library in ("crownhead", *PEERS):
            if script == "python_calls.py":
                yield library, [script, library, str(positions)]
            elif script == "perft.py":
                yield library, [script, library]
            elif library in samples:
                sample = samples[library]
                yield library, [script, library, str(sample.path), str(sample.plies)]


def measured(library: str, command: list[str]) -> str:
    """What a measurement prints, run alone on this core."""
    script, *arguments = command
    done = subprocess.run(
        [python_of(library), HERE / script, *arguments], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{script} {library} failed:\n{done.stderr}")
    return done.stdout


def main() -> None:
    """Run all rounds and write the report."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # children inherit it
    BUILD.mkdir(parents=True, exist_ok=True)
    for peer in PEERS:
        python_of(peer)
    positions = write_positions(BUILD)
    samples: dict[str, Sample] = {}
    if GAMES.exists():
        samples = {name: write_sample(BUILD, GAMES, every=every) for name, every in EVERY.items()}
    else:
        print(f"No games at {GAMES}: the PDN measurement is left out.")
    results: Results = defaultdict(list)
    for number in range(1, ROUNDS + 1):
        for library, command in tasks(positions, samples):
            print(f"round {number} of {ROUNDS}: {command[0]} {library}", flush=True)
            for line in measured(library, command).splitlines():
                figure = taken(line)
                results[figure.measure, figure.variant, library].append(figure)
    write_report(results, peers=PEERS, samples=samples, rounds=ROUNDS)


if __name__ == "__main__":
    main()
