"""``crownhead hub``: run the engine with the Hub protocol."""

from __future__ import annotations

import argparse
import sys

import crownhead
from crownhead.cli.arguments import Commands, add_command, add_variant
from crownhead.engine.hub.server import HubServer

_DESCRIPTION = """
Run the engine with the Hub protocol, version 2, on standard input and output, for use in graphical
draughts programs. Squares have the variant's own numbers.
"""
_EXAMPLES = (("crownhead hub --variant international", "the command to configure in such a program"),)


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = add_command(
        commands,
        "hub",
        purpose="run the engine with the Hub protocol",
        description=_DESCRIPTION,
        examples=_EXAMPLES,
    )
    add_variant(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Run until the other program quits."""
    HubServer(arguments.variant, crownhead.__version__, commands=sys.stdin, output=sys.stdout).run()
