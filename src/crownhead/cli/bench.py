"""``crownhead bench``: how fast the kernel is here, and the signature of the search."""

from __future__ import annotations

import argparse
import json
import time

from crownhead.cli.arguments import Commands, add_command, add_json
from crownhead.engine.signature import DEPTH, POSITIONS, signature
from crownhead.rules.position import Position

_DESCRIPTION = """
Count the nodes that the search needs for the start of every variant: a number that changes with the search
alone, whatever the machine. Tell as well how fast moves are generated and searched here.
"""
_EXAMPLES = (("crownhead bench", "the signature and the speeds"), ("crownhead bench --json", "for programs"))
_PERFT_DEPTH = 9


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "bench",
        purpose="measure the kernel, tell the search's signature",
        description=_DESCRIPTION,
        examples=_EXAMPLES,
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Print the numbers."""
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
    print(f"perft   {perft / 1e6:8.1f} million nodes a second (American checkers, depth {_PERFT_DEPTH})")
    print(f"search  {search / 1e6:8.1f} million nodes a second ({len(POSITIONS)} positions, depth {DEPTH})")
    print(f"signature {nodes}")
