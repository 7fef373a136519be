"""Compares the kernel with the reference rules over random plies of every variant.

Run as ``python -m tests.nightly.million_plies``. Half of the games begin from the start array, others from
boards with few pieces, many kings and marked men. A disagreement names the seed of its game, which
``--plies 1 --seed SEED --variant VARIANT`` plays again. With ``--house FILE`` the house variants of a file
are played instead. Exit status 1 where there is a disagreement.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from random import Random

from crownhead import VARIANTS, Colour, PieceKind
from crownhead.rules.house import load_variants, register
from crownhead.rules.schema import Crowning, Variant
from tests.reference import board
from tests.rules.side_by_side import Disagreement, play_side_by_side, sane

LONGEST_GAME = 250
PORTION = 5_000  # plies that one process plays before it reports
FAULTS_SHOWN = 5  # of a variant
SPREAD = 1_000_003  # between the seeds of two portions


@dataclass(frozen=True, slots=True)
class Portion:
    """Some random games of a variant, before or after playing."""

    variant: str
    seed: int
    plies: int
    games: int = 0
    faults: tuple[str, ...] = field(default=())


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, show progress, and report; return 0 if nothing differs."""
    parser = _parser()
    options = parser.parse_args(arguments)
    known = options.house or VARIANTS
    keys = options.variant or list(known)
    if unknown := set(keys) - known.keys():
        parser.error(f"argument --variant: expected one of {', '.join(known)}, got {', '.join(unknown)}")
    begun = time.monotonic()
    totals = {key: Portion(key, options.seed, 0) for key in keys}
    planned = [portion for key in keys for portion in _portions(key, options.plies, options.seed)]
    with ProcessPoolExecutor(
        options.processes, initializer=register, initargs=(list(options.house.values()),)
    ) as pool:
        running = [pool.submit(play_portion, portion) for portion in planned]
        for done, future in enumerate(as_completed(running), start=1):
            played = future.result()
            totals[played.variant] = _sum(totals[played.variant], played)
            _log(f"{done} of {len(planned)} portions, {time.monotonic() - begun:.0f} s")
    seconds = time.monotonic() - begun
    sys.stdout.write(_report(list(totals.values()), seconds=seconds, seed=options.seed))
    return 1 if any(total.faults for total in totals.values()) else 0


def play_portion(portion: Portion) -> Portion:
    """The portion with what its games showed; a game ends with its first disagreement."""
    plies, games = 0, 0
    faults: list[str] = []
    while plies < portion.plies and len(faults) < FAULTS_SHOWN:
        seed = portion.seed + games
        try:
            plies += play_game(VARIANTS[portion.variant], seed)
        except Disagreement as fault:
            faults.append(f"seed {seed}: {fault}")
        games += 1
    return Portion(portion.variant, portion.seed, plies, games, tuple(faults))


def play_game(variant: Variant, seed: int, row: Variant | None = None) -> int:
    """One random game, the same for the same seed; the number of plies compared, 1 at least.

    ``row``: what the kernel plays by, if that is not the oracle's row.
    """
    random = Random(seed)
    start = board.start(variant) if random.random() < 0.5 else _any_board(variant, random)
    choices = (random.randrange(10**6) for _ in range(LONGEST_GAME))
    return max(1, play_side_by_side(start, choices, texts=random.random() < 0.1, row=row))


def _any_board(variant: Variant, random: Random) -> board.Arrangement:
    """Up to twenty pieces anywhere, and on a few boards hardly a gap."""
    squares = variant.board.squares
    crowded = random.random() < 0.1
    count = squares - random.randrange(squares // 4) if crowded else random.randint(1, min(20, squares))
    kinds = [PieceKind.MAN, *([PieceKind.KING] * (variant.rules.crowning is not Crowning.NEVER))]
    if variant.rules.marked is not None:
        kinds.append(variant.rules.marked)
    numbers = random.sample(range(1, squares + 1), count)
    pieces = {number: (random.choice(list(Colour)), random.choice(kinds)) for number in numbers}
    return sane(variant, random.choice(list(Colour)), pieces)


def _portions(key: str, plies: int, seed: int) -> Iterator[Portion]:
    for index, begun in enumerate(range(0, plies, PORTION)):
        yield Portion(key, seed + index * SPREAD, min(PORTION, plies - begun))


def _sum(total: Portion, portion: Portion) -> Portion:
    faults = total.faults + portion.faults
    return Portion(
        total.variant, total.seed, total.plies + portion.plies, total.games + portion.games, faults
    )


def _log(line: str) -> None:
    sys.stderr.write(f"{line:<60}" + ("\r" if sys.stderr.isatty() else "\n"))
    sys.stderr.flush()


def _report(totals: Sequence[Portion], *, seconds: float, seed: int) -> str:
    """A table of the variants, a line of sums, and what differs."""
    rows = [f"{'variant':<20}{'plies':>12}{'games':>10}{'differ':>8}"]
    rows += [f"{one.variant:<20}{one.plies:>12,}{one.games:>10,}{len(one.faults):>8}" for one in totals]
    plies, faults = sum(total.plies for total in totals), sum(len(total.faults) for total in totals)
    rows.append(f"{plies:,} plies of {len(totals)} variants in {seconds:.0f} s, seed {seed}: {faults} differ")
    rows += [f"\n{fault}" for total in totals for fault in total.faults[:FAULTS_SHOWN]]
    return "\n".join(rows) + "\n"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.nightly.million_plies", description=__doc__)
    parser.add_argument("--plies", type=_positive, default=1_000_000, help="of each variant (1000000)")
    parser.add_argument("--variant", action="append", help="the key of one; may be given again (all)")
    parser.add_argument(
        "--house", type=load_variants, default={}, metavar="FILE", help="of house variants, instead"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the random games (1)")
    parser.add_argument("--processes", type=_positive, default=os.cpu_count() or 1, help="at a time")
    return parser


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a number from 1, got {text!r}")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
