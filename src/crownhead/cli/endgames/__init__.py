"""``crownhead tables``: build, verify and inspect endgame tables."""

from __future__ import annotations

import argparse

from crownhead.cli.arguments import Commands, add_command
from crownhead.cli.endgames import build, stats, verify

_DESCRIPTION = """
Endgame tables give the result of every position with few pieces, and in how many plies it is won. The engine
uses them in its search. Tables for American checkers up to four pieces are included; build larger ones and
those for other variants with 'crownhead tables build'.

A table knows only the pieces and the side to move; it does not take draw rules such as repetition into
account.
"""
_EXAMPLES = (
    ("crownhead tables build --variant russian --pieces 4", "build tables in your own folder"),
    ("crownhead tables verify --variant russian --pieces 4", "check every position against its successors"),
    ("crownhead tables stats --variant russian --pieces 4", "how many positions are won, lost and drawn"),
)


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command and its subcommands to the parser."""
    parser = add_command(
        commands,
        "tables",
        purpose="build and inspect endgame tables",
        description=_DESCRIPTION,
        examples=_EXAMPLES,
    )
    verbs = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for verb in (build, verify, stats):
        verb.register(verbs)
