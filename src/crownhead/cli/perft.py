"""``crownhead perft``: count the move sequences from a position."""

from __future__ import annotations

import argparse
import json
import time

from crownhead.cli.arguments import (
    Commands,
    add_command,
    add_json,
    add_position,
    position_of,
    whole_number,
)
from crownhead.cli.progress import Progress
from crownhead.cli.tables import counted
from crownhead.rules.position import Position

_DEEPEST = 20  # plies; more would take too long, and counts would exceed 64 bits
_DESCRIPTION = """
Count the move sequences of a given length. This checks the rules and measures speed: programs with different
counts have different rules. Captures with the same first and last square and the same captured pieces count
as one move.

The exit status is 0, or 1 if the position is invalid.
"""
_EXAMPLES = (
    ("crownhead perft --depth 8", "American checkers: 845931 nodes"),
    (
        "crownhead perft --variant italian --depth 6 --divide",
        "per first move, to locate a difference",
    ),
    ("crownhead perft --variant international --fen 'W:WK46:BK5' --depth 4 --json", "output as JSON"),
)


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = add_command(
        commands, "perft", purpose="count move sequences", description=_DESCRIPTION, examples=_EXAMPLES
    )
    add_position(parser)
    parser.add_argument(
        "--depth",
        metavar="N",
        type=whole_number(1, _DEEPEST),
        required=True,
        help=f"number of plies, from 1 to {_DEEPEST}",
    )
    parser.add_argument("--divide", action="store_true", help="show the count for each first move")
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Print the count; raises what ``Position.from_fen`` and ``perft`` raise."""
    position = position_of(arguments)
    began = time.perf_counter()
    divided = _divided(position, arguments.depth)
    nodes, seconds = sum(divided.values()), time.perf_counter() - began
    if arguments.json:
        data = {"variant": position.variant_key, "fen": position.fen(), "depth": arguments.depth}
        found = {"nodes": nodes, "seconds": round(seconds, 6)}
        print(json.dumps({**data, **found, **({"divide": divided} if arguments.divide else {})}, indent=2))
        return
    if arguments.divide:
        for text, count in divided.items():
            print(f"{text}  {count}")
    print(f"{counted(nodes, 'node')} at depth {arguments.depth} in {seconds:.3f} s")


def _divided(position: Position, depth: int) -> dict[str, int]:
    """Return the count for each first move."""
    moves = position.notations()
    counts: dict[str, int] = {}
    with Progress("counting", total=len(moves)) as progress:
        for done, (move, text) in enumerate(moves.items(), start=1):
            counts[text] = position.play(move).perft(depth - 1)
            progress.show(done, f"{sum(counts.values()):,} nodes")
    return counts
