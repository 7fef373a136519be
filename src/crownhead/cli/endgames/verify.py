"""``crownhead tables verify``: check every position of endgame tables against its successors."""

from __future__ import annotations

import argparse
import json

from crownhead.cli.arguments import Commands, add_command
from crownhead.cli.endgames.options import add_memory, add_options, folder_of, following
from crownhead.engine.tables import BadTable, folder_in, verify
from crownhead.rules.errors import CrownheadError

_BAD_INPUT = 1
_DESCRIPTION = """
Read endgame tables and check each position against its successors: a win must be one ply longer
than the shortest loss it leads to, a loss one ply longer than the longest win, and everything else a draw.
Where there are no distances, the results are compared.

The exit status is 0, or 1 if a file is missing or damaged or a position is wrong.
"""
_EXAMPLES = (("crownhead tables verify --variant russian --pieces 4", "the tables in your own folder"),)


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = add_command(
        commands, "verify", purpose="verify endgame tables", description=_DESCRIPTION, examples=_EXAMPLES
    )
    add_options(parser, works=True)
    add_memory(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Verify the tables; raises ``CrownheadError`` for a damaged file."""
    base = folder_of(arguments)
    folder = folder_in(base, arguments.variant)
    with following("verifying") as follower:
        try:
            wrong = verify(
                arguments.variant,
                arguments.pieces,
                base,
                threads=arguments.threads,
                memory=arguments.memory,
                on_stage=follower,
            )
        except BadTable as error:
            raise CrownheadError(str(error)) from error
    checked = sum(stage.checked for stage in follower.stages)
    if arguments.json:
        data = {"variant": arguments.variant, "folder": str(folder)}
        print(json.dumps(data | {"checked": checked, "wrong": wrong}, indent=2))
    else:
        for stage in follower.stages:
            if stage.wrong:
                print(f"{stage.material}: {stage.wrong:,} positions contradict their successors")
        agree = "all agree" if wrong == 0 else f"{wrong:,} do not agree"
        print(f"{checked:,} positions compared, {agree} with their successors: {folder}")
    return _BAD_INPUT if wrong else 0
