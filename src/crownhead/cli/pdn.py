"""``crownhead pdn``: work with PDN files."""

from __future__ import annotations

import argparse

from crownhead.cli.arguments import Commands, add_command
from crownhead.cli.on_demand import add_commands

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
    ("check", "parse and replay every game", "crownhead.cli.games.check"),
    ("stats", "count results, lengths, openings and names", "crownhead.cli.games.stats"),
    ("filter", "select games by conditions", "crownhead.cli.games.filtering"),
    ("convert", "write games in another notation", "crownhead.cli.games.convert"),
)


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command and its subcommands to the parser."""
    parser = add_command(
        commands, "pdn", purpose="work with PDN files", description=_DESCRIPTION, examples=_EXAMPLES
    )
    add_commands(parser, _COMMANDS)
