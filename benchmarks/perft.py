"""Perft nodes a second from the start array of each variant: `python benchmarks/perft.py LIBRARY`.

Leaf by leaf every move is made; in bulk the moves of the last ply are only counted. The two are never
compared with each other. The count is checked against the suite while it is timed.
"""

from __future__ import annotations

import sys
from functools import partial

from counts import deepest
from figures import Figure, emit, timed
from libraries import Library, library

# Nodes that keep one measurement between a tenth of a second and a few seconds.
ENOUGH = {"crownhead": 40_000_000, "py-draughts": 200_000, "pydraughts": 2_000}


def measure(subject: Library, variant: str, *, bulk: bool) -> Figure:
    """One count from the start array."""
    depth, expected = deepest(variant, within=ENOUGH[subject.name])
    board = subject.start(variant)
    count, seconds = timed(partial(subject.perft, board, depth, bulk=bulk))
    if count != expected and variant not in subject.wrong_rules:
        raise SystemExit(f"{subject.name}, {variant}, depth {depth}: expected {expected} nodes, got {count}")
    return Figure("perft, bulk" if bulk else "perft, leaf by leaf", variant, count, seconds)


def measure_generic(subject: Library, variant: str) -> Figure:
    """One count in bulk by the code that takes any rules."""
    depth, expected = deepest(variant, within=ENOUGH[subject.name])
    count, seconds = timed(partial(subject.perft, subject.generic[variant], depth, bulk=True))
    if count != expected:
        raise SystemExit(f"{subject.name}, {variant} by any rules: expected {expected} nodes, got {count}")
    return Figure("perft, bulk, any rules", variant, count, seconds)


def measure_engine_loop(subject: Library, variant: str) -> Figure:
    """One count by the loop that a library keeps for its own engine."""
    depth, expected = deepest(variant, within=2 * ENOUGH[subject.name])
    count, seconds = timed(partial(subject.engine_loops[variant], subject.start(variant), depth))
    if count != expected:
        raise SystemExit(f"{subject.name}'s engine, {variant}: expected {expected} nodes, got {count}")
    return Figure("perft, bulk, in the engine", variant, count, seconds)


def main() -> None:
    """Measure every variant that a library knows and a suite describes."""
    subject = library(sys.argv[1])
    for variant in subject.variants:
        emit(measure(subject, variant, bulk=True))
        emit(measure(subject, variant, bulk=False))
    for variant in subject.generic:
        emit(measure_generic(subject, variant))
    for variant in subject.engine_loops:
        emit(measure_engine_loop(subject, variant))


if __name__ == "__main__":
    main()
