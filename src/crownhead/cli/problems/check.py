"""``crownhead problems check``: verify problems with a larger search."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

from crownhead.cli.arguments import Commands, add_command, add_json, whole_number
from crownhead.cli.games.inputs import BAD_INPUT, total_of
from crownhead.cli.progress import Progress
from crownhead.cli.sources import InputFile, opened
from crownhead.cli.tables import counted
from crownhead.engine import Engine
from crownhead.problems.judging import Judge
from crownhead.problems.mining import is_confirmed, nodes_to_check
from crownhead.problems.problem import Problem, read

_DESCRIPTION = """
Verify problems: every solution is replayed, and a search with ten times the nodes that confirmed the problem
must still find its first move the only one that wins or draws. Problems that are refuted are printed.
Endgame tables help: build those of four pieces first, see 'crownhead tables build'.

The exit status is 0 if all are confirmed, 1 if one is refuted or a line holds no problem, or 2 if the file
cannot be read.
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
            if not is_confirmed(judge, problem, nodes=nodes):
                refuted.append(problem)
                if not arguments.json:
                    print(f"refuted: {problem.variant} {problem.fen} {problem.line[0]}")
    if arguments.json:
        keys = [problem.key for problem in refuted]
        print(json.dumps({"problems": count, "searched": searched, "refuted": keys}, indent=2))
    else:
        print(f"{counted(count, 'problem')}, {searched} searched, {len(refuted)} refuted")
    return BAD_INPUT if refuted else 0


def _lines(file: InputFile) -> Iterator[str]:
    while line := file.readline(_LONGEST):
        yield line.decode("utf-8", errors="replace")
