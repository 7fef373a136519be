"""``crownhead tables build``: build endgame tables."""

from __future__ import annotations

import argparse
import json
import sys
import time

from crownhead.cli.arguments import Commands, add_command, whole_number
from crownhead.cli.endgames.options import add_memory, add_options, folder_of, following, in_json, in_text
from crownhead.engine.tables import (
    MAX_PIECES,
    MAX_WITH_DISTANCES,
    Projection,
    build,
    folder_in,
    in_gigabytes,
    project,
)

_LONG = 10  # seconds: of a shorter build nothing is said before it begins
_DESCRIPTION = """
Build the endgame tables of a variant: files with the results of each material balance such as two kings
against one, and for up to five pieces files with the plies to the end of the game. With seven pieces there
are only the tables of four against three.
Files appear when they are finished, and complete ones are not built again, so you can stop at any time
and continue later. Before a long build the command says how much time, memory and disk it will take.

For American checkers, four pieces take seconds, five a minute or two, six about ten minutes on two cores
with 1 GB of memory.
"""
_EXAMPLES = (
    ("crownhead tables build --pieces 6", "American checkers, in your own folder"),
    ("crownhead tables build --variant international --pieces 4 --out tables", "in a given folder"),
    ("crownhead tables build --pieces 5 --distances 4", "only the results of five pieces: 2 MB, not 60"),
)


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = add_command(
        commands, "build", purpose="build endgame tables", description=_DESCRIPTION, examples=_EXAMPLES
    )
    add_options(parser, works=True)
    parser.add_argument(
        "--distances",
        metavar="N",
        type=whole_number(0, MAX_PIECES),
        default=MAX_WITH_DISTANCES,
        help="maximum number of pieces for which the plies to the end are stored; beyond it only results "
        f"(default: {MAX_WITH_DISTANCES})",
    )
    add_memory(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Build the tables; raises ``CrownheadError`` if the variant has none, ``OSError`` if writing fails."""
    base = folder_of(arguments)
    folder = folder_in(base, arguments.variant)
    chosen = {name: getattr(arguments, name) for name in ("threads", "distances", "memory")}
    projected = project(arguments.variant, arguments.pieces, base, **chosen)
    if projected.seconds > _LONG:
        print(_in_words(projected), file=sys.stderr)
    began = time.perf_counter()
    with following("building") as follower:
        build(arguments.variant, arguments.pieces, base, on_stage=follower, **chosen)
    seconds = time.perf_counter() - began
    made = sum(not stage.was_there for stage in follower.stages)
    if arguments.json:
        data = {"variant": arguments.variant, "folder": str(folder), "seconds": round(seconds, 3)}
        materials = {"made": made, "there_before": len(follower.stages) - made}
        print(json.dumps(data | materials | {"pieces": in_json(follower.counts)}, indent=2))
        return
    print("\n".join(in_text(follower.counts)))
    print(f"{made} built, {len(follower.stages) - made} already there, in {seconds:.1f} s: {folder}")


def _in_words(projected: Projection) -> str:
    return (
        f"To build: {projected.positions / 1e6:,.0f} million positions of {projected.materials} material "
        f"balances. Expected: {_duration(projected.seconds)}, {in_gigabytes(projected.memory)} of memory, "
        f"{in_gigabytes(projected.disk)} on disk."
    )


def _duration(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} seconds"
    return f"{seconds / 60:.0f} minutes" if seconds < 100 * 60 else f"{seconds / 3600:.0f} hours"
