"""``crownhead pdn``: work on files of games."""

from __future__ import annotations

import argparse

from crownhead.cli.arguments import Commands, add_command
from crownhead.cli.games import check, convert, filtering, stats

_DESCRIPTION = """
Work on PDN files: games of draughts and checkers as text. Files may be packed (.gz); '-' reads the
standard input. Reading is liberal: UTF-8 or Latin-1, PDN 3.0, 2.0 and what programs make of them.
"""
_EXAMPLES = (
    ("crownhead pdn check games.pdn", "replay every game and tell which are bad, where and why"),
    ("crownhead pdn check --help", "more about a command"),
)


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command with its subcommands."""
    parser = add_command(
        commands, "pdn", purpose="work on PDN files", description=_DESCRIPTION, examples=_EXAMPLES
    )
    verbs = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for verb in (check, stats, filtering, convert):
        verb.register(verbs)
