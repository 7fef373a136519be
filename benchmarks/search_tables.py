"""Measures the search with endgame tables of several sizes: `python benchmarks/search_tables.py --help`.

The folder holds tables of American checkers, of which folders of up to five and six pieces are made by
links. Writes a section of results/.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import mean, median

from crownhead import Position
from crownhead.engine import Engine
from crownhead.engine.tables import SHIPPED, Tables
from material import SEED
from sections import TABLES, provenance, table, write_section

VARIANT = "american"
PIECES = (7, 8, 9, 10)  # in the positions that are searched
POSITIONS = 4  # of each number of pieces
NODES = 2_000_000
MEGABYTES = 64
PLAYING = 300  # nodes a move in the games that lead to the positions


def endings(count: int) -> list[Position]:
    """Positions of the given numbers of pieces, from games of the engine after six random plies."""
    rng = Random(SEED)
    engine = Engine(VARIANT, megabytes=1, tables=False)
    wanted = dict.fromkeys(PIECES, count)
    found: list[Position] = []
    while any(wanted.values()):
        for position in _game(engine, rng):
            pieces = len(position.pieces)
            quiet = not any(move.captures for move in position.legal_moves())
            if quiet and wanted.get(pieces, 0) and len(position.legal_moves()) > 1:
                wanted[pieces] -= 1
                found.append(position)
                break
    return sorted(found, key=lambda position: len(position.pieces))


def _game(engine: Engine, rng: Random) -> Iterator[Position]:
    position = Position.start(VARIANT)
    for ply in range(120):
        moves = position.legal_moves()
        if position.outcome() is not None:
            return
        chosen = rng.choice(moves) if ply < 6 else engine.analyse(position, nodes=PLAYING).move
        assert chosen is not None
        position = position.play(chosen)
        yield position


def measured(tables: Tables | bool, positions: list[Position], rounds: int) -> tuple[float, float, float]:
    """Nodes a second of CPU time, the mean depth, and the share of positions with a decided result."""
    engine = Engine(VARIANT, megabytes=MEGABYTES, tables=tables)
    engine.analyse(Position.start(VARIANT), nodes=NODES)  # takes the memory
    rates, depths, decided = [], [], []
    for number in range(rounds):
        nodes, seconds = 0, 0.0
        for position in positions:
            engine.forget()
            begun = time.process_time()
            report = engine.analyse(position, nodes=NODES)
            seconds += time.process_time() - begun
            nodes += report.nodes
            if number == 0:
                depths.append(report.depth)
                decided.append(report.score is not None and abs(report.score.value) > 20_000)
        rates.append(nodes / seconds)
    return median(rates), mean(depths), mean(decided)


def folders(source: Path, base: Path) -> Iterator[tuple[str, Path]]:
    """Folders of tables of up to so many pieces, links to files of ``source``."""
    for most in (5, 6):
        folder = base / str(most) / VARIANT
        folder.mkdir(parents=True)
        for path in (source / VARIANT).iterdir():
            if len(path.stem) - 1 <= most:
                (folder / path.name).symlink_to(path.resolve())
        yield f"{most}", folder.parent


def section(source: Path, rounds: int) -> str:
    """The table of all sizes."""
    positions = endings(POSITIONS)
    with tempfile.TemporaryDirectory() as base:
        sizes: list[tuple[str, Tables | bool]] = [("none", False), ("4", Tables(SHIPPED, VARIANT))]
        sizes += [(name, Tables(folder, VARIANT)) for name, folder in folders(source, Path(base))]
        rows: list[list[str]] = []
        rate_without = 0.0
        for name, tables in sizes:
            rate, depth, decided = measured(tables, positions, rounds)
            rate_without = rate_without or rate
            share = f"{100 * rate / rate_without:.0f} %"
            rows.append([name, f"{rate / 1e6:.2f} M", share, f"{depth:.1f}", f"{100 * decided:.0f} %"])
            print(" | ".join(rows[-1]), flush=True)
    text = f"""{provenance("search_tables.py")} Load at the start: {os.getloadavg()[0]:.1f}.
{len(positions)} endings of {PIECES[0]} to {PIECES[-1]} pieces from games of the engine, {NODES:,} nodes each
with an empty transposition table; nodes a second of CPU time, one thread, the median of {rounds} rounds. A
position counts as decided where the search has proven a win or a loss."""
    return f"{text}\n\n{table(['pieces in tables', 'nodes/s', 'of those without', 'depth', 'decided'], rows)}"


def main() -> None:
    """Measure, and write the section."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=Path, required=True, help="a folder of tables up to six pieces")
    parser.add_argument("--rounds", type=int, default=3, help="of each measurement (default: 3)")
    chosen = parser.parse_args()
    write_section(TABLES, section(chosen.tables, chosen.rounds))


if __name__ == "__main__":
    main()
