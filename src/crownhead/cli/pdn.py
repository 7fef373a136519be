"""``crownhead pdn``: work with PDN files."""

from __future__ import annotations

import argparse

from crownhead.cli.arguments import Commands, add_command
from crownhead.cli.on_demand import OnDemand

_DESCRIPTION = """
Work with PDN files, which contain games of draughts and checkers as text. Files may be compressed (.gz);
'-' reads standard input. The reader accepts UTF-8 and Latin-1, PDN 3.0 and 2.0, and many deviations found in
real files.
"""
_EXAMPLES = (
    ("crownhead pdn check games.pdn", "replay every game and report problems"),
    ("crownhead pdn check --help", "help for a command"),
)


_COMMANDS = (  # name, purpose, module
    ("check", "parse and replay every game", "check"),
    ("stats", "count results, lengths, openings and names", "stats"),
    ("filter", "select games by conditions", "filtering"),
    ("convert", "write games in another notation", "convert"),
)


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command and its subcommands to the parser."""
    parser = add_command(
        commands, "pdn", purpose="work with PDN files", description=_DESCRIPTION, examples=_EXAMPLES
    )
    verbs = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, action=OnDemand)
    for name, purpose, module in _COMMANDS:
        verbs.add_module(name, purpose, f"crownhead.cli.games.{module}")
