"""``crownhead problems check``: verify problems with a larger search."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence

from crownhead.cli.arguments import Commands, add_command, add_json, whole_number
from crownhead.cli.games.inputs import BAD_INPUT, total_of
from crownhead.cli.progress import Progress
from crownhead.cli.sources import InputFile, opened
from crownhead.cli.tables import counted
from crownhead.engine import Engine
from crownhead.problems.judging import Judge
from crownhead.problems.mining import PIECES_OF_TABLES, awaits_tables, is_confirmed, nodes_to_check
from crownhead.problems.problem import Problem, read

_DESCRIPTION = """
Verify problems: every solution is replayed, and a search with ten times the nodes that confirmed the problem
must still find its first move the only one that wins or draws. Problems that are refuted are printed.

Many problems near the end of a game need endgame tables of four pieces, which come with the package for
American checkers alone. Those of another variant that a search alone does not confirm are called undecided:
build its tables first, 'crownhead tables build --pieces 4 --variant V', in a minute or two.

The exit status is 0 if none is refuted, 1 if one is or a line holds no problem, or 2 if the file cannot be
read.
"""
_EXAMPLES = (
    ("crownhead problems check problems.jsonl", "with ten times the search"),
    ("crownhead problems check --nodes 1000000 --every 10 problems.jsonl.gz", "a tenth of them"),
)
_LONGEST = 100_000  # bytes of a line


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = add_command(
        commands,
        "check",
        purpose="verify problems with a larger search",
        description=_DESCRIPTION,
        examples=_EXAMPLES,
    )
    parser.add_argument("file", metavar="FILE", help="problems as JSON Lines, may be compressed (.gz)")
    parser.add_argument(
        "--nodes",
        metavar="N",
        type=whole_number(1_000, 999_999_999),
        default=None,
        help="nodes of each search (default: ten times those of the search that confirmed the problem)",
    )
    parser.add_argument(
        "--every",
        metavar="N",
        type=whole_number(1, 1_000_000),
        default=1,
        help="search only every Nth problem; all are replayed (default: 1)",
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Verify the problems; return 1 if one is refuted. Raises ``Unreadable`` and ``CrownheadError``."""
    judges: dict[str, Judge] = {}
    refuted: list[Problem] = []
    undecided: list[Problem] = []
    count = searched = 0
    with Progress("verifying", total=total_of([arguments.file])) as progress, opened(arguments.file) as file:
        for count, problem in enumerate(read(_lines(file)), 1):
            progress.show(file.done, f"{count:,} problems")
            problem.positions()
            if count % arguments.every:
                continue
            searched += 1
            judge = judges.setdefault(problem.variant, Judge(Engine(problem.variant)))
            nodes = arguments.nodes or nodes_to_check(problem)
            if is_confirmed(judge, problem, nodes=nodes):
                continue
            kind, failed = ("undecided", undecided) if awaits_tables(problem) else ("refuted", refuted)
            failed.append(problem)
            if not arguments.json:
                print(f"{kind}: {problem.variant} {problem.fen} {problem.line[0]}")
    if arguments.json:
        keys = {"refuted": [each.key for each in refuted], "undecided": [each.key for each in undecided]}
        print(json.dumps({"problems": count, "searched": searched, **keys}, indent=2))
    else:
        print(f"{counted(count, 'problem')}, {searched} searched, {len(refuted)} refuted{_advice(undecided)}")
    return BAD_INPUT if refuted else 0


def _advice(undecided: Sequence[Problem]) -> str:
    """What would decide the problems that are left undecided."""
    if not undecided:
        return ""
    variants = sorted({problem.variant for problem in undecided})
    build = "crownhead tables build --pieces"
    commands = "".join(f"\n  {build} {PIECES_OF_TABLES} --variant {key}" for key in variants)
    return f", {len(undecided)} undecided without endgame tables; build these with{commands}"


def _lines(file: InputFile) -> Iterator[str]:
    while line := file.readline(_LONGEST):
        yield line.decode("utf-8", errors="replace")
