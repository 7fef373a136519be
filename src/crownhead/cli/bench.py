"""``crownhead bench``: the speed of the kernel, and the signature of the search."""

from __future__ import annotations

import argparse
import json
import time

from crownhead.cli.arguments import Commands, add_command, add_json
from crownhead.engine.signature import DEPTH, POSITIONS, signature
from crownhead.rules.position import Position

_DESCRIPTION = """
Count the nodes that the search visits from the start position of every variant: this signature changes only
when the search changes, and is the same on every machine. Also measure how fast moves are generated and
searched.
"""
_EXAMPLES = (
    ("crownhead bench", "the signature and the speeds"),
    ("crownhead bench --json", "output as JSON"),
)
_PERFT_DEPTH = 9


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = add_command(
        commands,
        "bench",
        purpose="measure speed and print the search signature",
        description=_DESCRIPTION,
        examples=_EXAMPLES,
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Measure and print the results."""
    began = time.process_time()
    leaves = Position.start("american").perft(_PERFT_DEPTH)
    perft = leaves / (time.process_time() - began)
    began = time.process_time()
    nodes = signature()
    search = nodes / (time.process_time() - began)
    if arguments.json:
        numbers = {"signature": nodes, "search_nodes_per_second": round(search)}
        print(json.dumps(numbers | {"perft_nodes_per_second": round(perft)}, indent=2))
        return
    print(f"perft   {perft / 1e6:8.1f} million nodes per second (American checkers, depth {_PERFT_DEPTH})")
    print(f"search  {search / 1e6:8.1f} million nodes per second ({len(POSITIONS)} positions, depth {DEPTH})")
    print(f"signature {nodes}")
