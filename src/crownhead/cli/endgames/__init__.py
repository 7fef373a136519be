"""``crownhead tables``: make, check and count endgame tables."""

from __future__ import annotations

import argparse

from crownhead.cli.arguments import Commands, add_command
from crownhead.cli.endgames import build, stats, verify

_DESCRIPTION = """
Endgame tables tell of every position with few pieces who wins, and in how many plies. The engine asks them
while it searches. American checkers up to four pieces come with Crownhead; more, and those of other variants,
are made by 'crownhead tables build'.

A table knows where the pieces stand and whose turn it is: neither repetition nor a counter of moves.
"""
_EXAMPLES = (
    ("crownhead tables build --variant russian --pieces 4", "make tables, in your own folder"),
    ("crownhead tables verify --variant russian --pieces 4", "compare every position with its successors"),
    ("crownhead tables stats --variant russian --pieces 4", "how many positions are won, lost and drawn"),
)


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command with its subcommands."""
    parser = add_command(
        commands, "tables", purpose="make endgame tables", description=_DESCRIPTION, examples=_EXAMPLES
    )
    verbs = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for verb in (build, verify, stats):
        verb.register(verbs)
