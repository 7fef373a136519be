"""``crownhead tables verify``: compare every position of endgame tables with its successors."""

from __future__ import annotations

import argparse
import json

from crownhead.cli.arguments import Commands, add_command
from crownhead.cli.endgames.options import add_options, folder_of, following
from crownhead.engine.tables import BadTable, folder_in, verify
from crownhead.rules.errors import CrownheadError

_BAD_INPUT = 1
_DESCRIPTION = """
Read endgame tables again and compare each position with those that its moves lead to: a win is one ply longer
than the shortest loss it can lead to, a loss one longer than the longest win, and nothing else is drawn.

The exit status is 0, 1 if a file is missing or damaged, or a position is wrong.
"""
_EXAMPLES = (("crownhead tables verify --variant russian --pieces 4", "those in your own folder"),)


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = add_command(
        commands, "verify", purpose="check endgame tables", description=_DESCRIPTION, examples=_EXAMPLES
    )
    add_options(parser, works=True)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Check them; raises ``CrownheadError`` for a file that is none."""
    base = folder_of(arguments)
    folder = folder_in(base, arguments.variant)
    with following("verifying") as follower:
        try:
            wrong = verify(
                arguments.variant, arguments.pieces, base, threads=arguments.threads, tell=follower
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
