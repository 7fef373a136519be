"""``crownhead tables build``: build endgame tables."""

from __future__ import annotations

import argparse
import json
import time

from crownhead.cli.arguments import Commands, add_command
from crownhead.cli.endgames.options import add_options, folder_of, following, in_json, in_text
from crownhead.engine.tables import build, folder_in

_DESCRIPTION = """
Build the endgame tables of a variant, with two files for each material balance such as two kings against one.
Files appear when they are finished, and complete ones are not built again, so you can stop at any time
and continue later.

For American checkers, four pieces take seconds, five a minute or two, and six about half an hour and 8 GB of
memory.
"""
_EXAMPLES = (
    ("crownhead tables build --pieces 5", "American checkers, in your own folder"),
    ("crownhead tables build --variant international --pieces 4 --out tables", "in a given folder"),
)


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = add_command(
        commands, "build", purpose="build endgame tables", description=_DESCRIPTION, examples=_EXAMPLES
    )
    add_options(parser, works=True)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Build the tables; raises ``CrownheadError`` if the variant has none, ``OSError`` if writing fails."""
    base = folder_of(arguments)
    folder = folder_in(base, arguments.variant)
    began = time.perf_counter()
    with following("building") as follower:
        build(arguments.variant, arguments.pieces, base, threads=arguments.threads, tell=follower)
    seconds = time.perf_counter() - began
    made = sum(not stage.was_there for stage in follower.stages)
    if arguments.json:
        data = {"variant": arguments.variant, "folder": str(folder), "seconds": round(seconds, 3)}
        materials = {"made": made, "there_before": len(follower.stages) - made}
        print(json.dumps(data | materials | {"pieces": in_json(follower.counts)}, indent=2))
        return
    print("\n".join(in_text(follower.counts)))
    print(f"{made} built, {len(follower.stages) - made} already there, in {seconds:.1f} s: {folder}")
