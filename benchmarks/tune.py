"""Tunes margins of the search by games of the engine with itself (SPSA): `python benchmarks/tune.py --help`.

The variants take turns, an iteration each. Every iteration is written to the file, so a tuning that was
stopped goes on when the same command is given again. The values are found by comparing noise: they are worth
what a match says of them, which `benchmarks/match.py --margins` plays.
"""

from __future__ import annotations

import argparse
from functools import cache
from pathlib import Path

from crownhead import Position
from crownhead._kernel import Searcher
from crownhead.engine import Engine
from crownhead.engine.matches import EnginePlayer, Player, Tally, openings_of, play_match
from crownhead.engine.tuning import Plan, Tuning, begin, resume

MEGABYTES = 2
OPENINGS = 600  # of each variant, from which every iteration draws
SHOWN = 10  # iterations from one line to the next


def arguments() -> argparse.Namespace:
    """The arguments."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path, help="where the state is kept")
    parser.add_argument("--variants", nargs="+", default=["american", "international", "russian"])
    parser.add_argument("--margins", nargs="+", default=list(Searcher.margins()), help="default: all")
    parser.add_argument("--iterations", type=int, default=600)
    parser.add_argument("--pairs", type=int, default=8, help="of games in an iteration (default: 8)")
    parser.add_argument("--nodes", type=int, default=3000, help="a move (default: 3000)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rate", type=float, default=1.0, help="at which margins move (default: 1)")
    parser.add_argument("--threads", type=int, default=1, help="games at a time; the values are the same")
    return parser.parse_args()


@cache
def openings(variant: str, seed: int) -> list[Position]:
    """Balanced openings of a variant."""
    return openings_of(variant, OPENINGS, seed=seed)


def played(tuning: Tuning, threads: int) -> Tally:
    """The games of the next iteration."""
    drawn = tuning.dice("openings").sample(openings(tuning.variant, tuning.plan.seed), tuning.plan.pairs)

    def players() -> tuple[Player, Player]:
        first, second = (
            EnginePlayer(Engine(tuning.variant, megabytes=MEGABYTES, margins=margins), tuning.plan.nodes)
            for margins in tuning.sides()
        )
        return first, second

    tally = Tally()
    for after_pair in play_match(drawn, players, threads=threads):
        tally = after_pair
    return tally


def main() -> None:
    """Play the iterations that are left, and print the margins now and then."""
    chosen = arguments()
    plan = Plan(
        variants=tuple(chosen.variants),
        names=tuple(chosen.margins),
        iterations=chosen.iterations,
        pairs=chosen.pairs,
        nodes=chosen.nodes,
        seed=chosen.seed,
        rate=chosen.rate,
    )
    tuning = resume(chosen.file.read_text("utf-8"), plan) if chosen.file.exists() else begin(plan)
    while not tuning.is_over:
        tuning = tuning.after(played(tuning, chosen.threads).score)
        written = chosen.file.with_suffix(".new")
        written.write_text(tuning.to_json(), "utf-8")
        written.replace(chosen.file)
        if tuning.done % SHOWN == 0 or tuning.is_over:
            values = ", ".join(f"{margin.name} {margin.value:.1f}" for margin in tuning.margins)
            print(f"{tuning.done} of {plan.iterations}: {values}", flush=True)
    print(" ".join(f"{name}={value}" for name, value in tuning.values().items()))


if __name__ == "__main__":
    main()
