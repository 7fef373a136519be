"""Runs the engine on problem positions, and reports how many it solves: `python benchmarks/problems.py`.

A claimed win is found when the engine sees it to its end, or is clearly better; a claimed draw when it is not
clearly worse; a claimed loss when it is. Where a solution is printed, the engine's move must be its first, or
worth no less. What a short search does not find gets a long one. A claim that is proven wrong is refuted.
"""

from __future__ import annotations

import argparse
import csv
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path

from crownhead import Colour, CrownheadError, Position
from crownhead.engine import Engine, Report, Score
from crownhead.engine.report import WON
from crownhead.engine.tables import Tables
from crownhead.engine.tables.available import available
from problems_report import write

# The positions, in the data beside the repository, and the file's names of the variants.
PROBLEMS = Path(__file__).resolve().parents[2] / "shared" / "data" / "problems" / "problems.csv"
REMARKS = Path(__file__).with_name("problems_remarks.csv")
VARIANTS = {"english": "american", "international": "international"}
# The winner by move order: 0 is the side that moves first in the game, Black in American checkers.
WINNERS = {"1-0": 0, "0-1": 1}
CLEAR = 80  # hundredths of a man
ALIKE = 15  # two moves that differ by no more count as equally good
ENOUGH = 10 * CLEAR  # beyond it all moves count as equally good
SHORT, LONG = 1_000_000, 30_000_000  # nodes: about a tenth of a second, and four seconds
MEGABYTES = 64
EVEN = Score(0)


@dataclass(frozen=True, slots=True)
class Problem:
    """A position, what is said of it, and the first move of the printed solution if there is one.

    ``claim`` is 1 where the side to move is said to win, 0 for a draw, -1 where it is said to lose, None
    where nothing is said.
    """

    variant: str
    name: str
    fen: str
    claim: int | None
    solution: str


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a search of a problem with so many nodes.

    ``solution`` is the worth of the printed move, where ours is another; ``fault`` tells why the problem is
    none.
    """

    problem: Problem
    nodes: int
    best: str = ""
    score: Score = EVEN
    proven: bool = False
    solution: int | None = None
    fault: str = ""

    @property
    def found(self) -> bool:
        """The claimed result is found, or a better one."""
        value, claim = self.score.value, self.problem.claim
        kept = claim is None or {1: value >= CLEAR, 0: value > -CLEAR, -1: value <= -CLEAR}[claim]
        return not self.fault and kept and self._as_good_as_printed()

    @property
    def refuted(self) -> bool:
        """Another result than the claimed one is proven."""
        proven = (self.score.value > 0) - (self.score.value < 0)
        return not self.fault and self.proven and self.problem.claim not in (None, proven)

    def _as_good_as_printed(self) -> bool:
        return self.solution is None or min(self.score.value, ENOUGH) >= min(self.solution, ENOUGH) - ALIKE


def read_problems(path: Path = PROBLEMS) -> Iterator[Problem]:
    """The problems of a file that claim a result or print a solution."""
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            variant = VARIANTS[row["variant"]]
            first = Position.start(variant).turn
            claim = _claim(row["result_tag"], first, Colour.WHITE if row["side"] == "W" else Colour.BLACK)
            solution = row["solution_moves"].split(" ", 1)[0]
            if claim is not None or solution:
                yield Problem(variant, f"{row['collection']} {row['n']}", row["fen"], claim, solution)


def _claim(result: str, first: Colour, side: Colour) -> int | None:
    if result == "1/2-1/2":
        return 0
    if result not in WINNERS:
        return None
    winner = first if WINNERS[result] == 0 else first.opponent
    return 1 if winner is side else -1


def solve(problem: Problem, *, tables: Path | None = None, nodes: Sequence[int] = (SHORT, LONG)) -> Finding:
    """The result with an empty transposition table; the longer search follows where the shorter one fails."""
    try:
        position = Position.from_fen(problem.fen, problem.variant)
    except CrownheadError as error:
        return Finding(problem, 0, fault=str(error))
    engine = _engine(problem.variant, tables)
    finding = Finding(problem, 0)
    for budget in nodes:
        finding = _searched(engine, problem, position, budget)
        if finding.found or finding.refuted:
            break
    return finding


def _searched(engine: Engine, problem: Problem, position: Position, nodes: int) -> Finding:
    """A search, and another of the printed move where the engine plays a different one."""
    engine.forget()
    report = engine.analyse(position, nodes=nodes)
    move = report.expect_move()
    finding = Finding(problem, nodes, position.notation(move), _score(report), report.proven)
    printed = position.parse(problem.solution) if problem.solution else move
    if printed == move:
        return finding
    engine.forget()
    return replace(finding, solution=-_score(engine.analyse(position.play(printed), nodes=nodes)).value)


def _score(report: Report) -> Score:
    """Of the best line; where there is no move the game is lost."""
    return report.score if report.score is not None else Score(-WON)


@lru_cache
def _engine(variant: str, tables: Path | None) -> Engine:
    return Engine(variant, megabytes=MEGABYTES, tables=True if tables is None else Tables(tables, variant))


def main() -> None:
    """Search all of them, write the shares to results/problems.md, list those that were not found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="at a time")
    parser.add_argument("--tables", type=Path, help="a folder of endgame tables (default: those there are)")
    parser.add_argument("--file", type=Path, default=PROBLEMS)
    parser.add_argument("--dry", action="store_true", help="write nothing down")
    chosen = parser.parse_args()
    problems = list(read_problems(chosen.file))
    findings = []
    with ProcessPoolExecutor(chosen.processes) as pool:
        for finding in pool.map(partial(solve, tables=chosen.tables), problems):
            findings.append(finding)
            if not finding.found:
                print(f"{len(findings)} {finding}", flush=True)
            elif len(findings) % 50 == 0:
                print(f"{len(findings)} of {len(problems)}", flush=True)
    print(f"{sum(finding.found for finding in findings)} of {len(findings)} found")
    if not chosen.dry:
        known = {key: _known(key, chosen.tables) for key in VARIANTS.values()}
        write(findings, tables=known, remarks=_remarks())


def _known(variant: str, folder: Path | None) -> int:
    tables = available(variant) if folder is None else Tables(folder, variant)
    return tables.most if tables is not None else 0


def _remarks() -> dict[str, str]:
    """Remarks on single problems, by their names."""
    with REMARKS.open(encoding="utf-8", newline="") as file:
        return {row["problem"]: row["remark"] for row in csv.DictReader(file)}


if __name__ == "__main__":
    main()
