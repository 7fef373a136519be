"""``crownhead tables stats``: count the positions in endgame tables."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from crownhead.cli.arguments import Commands, add_command
from crownhead.cli.endgames.options import add_options, in_cell, in_json, in_text, summed
from crownhead.cli.tables import table
from crownhead.engine.tables import BadTable, Counts, Held, Tables, users_folder
from crownhead.rules.errors import CrownheadError

_DESCRIPTION = """
Count the positions of endgame tables by result, with one side to move, and show the longest win and loss in
plies. Without --out, use the tables in your own folder or, if there are none, those included with Crownhead.

The exit status is 0, or 1 if a file is damaged.
"""
_EXAMPLES = (
    ("crownhead tables stats", "the tables for American checkers"),
    ("crownhead tables stats --variant russian --pieces 3 --json", "as JSON, with each material balance"),
)


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = add_command(
        commands, "stats", purpose="count endgame tables", description=_DESCRIPTION, examples=_EXAMPLES
    )
    add_options(parser, works=False)
    parser.add_argument("--materials", action="store_true", help="also list each material balance")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Print the counts; raises ``CrownheadError`` for a damaged file."""
    try:
        tables = _opened(arguments.out, arguments.variant)
    except BadTable as error:
        raise CrownheadError(str(error)) from error
    held = [one for one in tables.held if arguments.pieces is None or one.pieces <= arguments.pieces]
    counts = summed((one.pieces, one.counts) for one in held)
    if arguments.json:
        data = {"variant": arguments.variant, "folder": str(tables.folder), "pieces": in_json(counts)}
        print(json.dumps(data | {"materials": [_as_dict(one) for one in held]}, indent=2))
        return
    if not held:
        missing = f"No endgame tables for {arguments.variant} in {tables.folder}"
        print(f"{missing}; 'crownhead tables build' creates them.")
        return
    print("\n".join(in_text(counts)))
    if arguments.materials:
        print("\n" + "\n".join(_materials(held)))
    print(f"{sum(one.bytes for one in held):,} bytes: {tables.folder}")


def _opened(folder: Path | None, variant: str) -> Tables:
    if folder is not None:
        return Tables.open(folder, variant)
    own = Tables.open(users_folder(), variant)
    return own if own.most else Tables.shipped(variant)


def _as_dict(one: Held) -> dict[str, object]:
    data = asdict(one)
    return data | {"counts": one.counts._asdict()}


def _materials(held: list[Held]) -> list[str]:
    rows = [(one.material, *map(in_cell, (*_known(one.counts), one.bytes))) for one in held]
    heading = ("material", "wins", "losses", "draws", "longest win", "longest loss", "bytes")
    return table(heading, rows, right=range(1, len(heading)))


def _known(counts: Counts) -> tuple[int | None, ...]:
    return (*counts[:3], counts.longest_win or None, counts.longest_loss or None)
