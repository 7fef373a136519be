"""``crownhead hub``: the engine for programs that speak the Hub protocol."""

from __future__ import annotations

import argparse
import sys

import crownhead
from crownhead.cli.arguments import Commands, add_command, add_variant
from crownhead.engine.hub.server import HubServer

_DESCRIPTION = """
Speak the Hub protocol, version 2, on the standard input and output, so that draughts programs with a window
use the engine. Squares are numbered as the variant numbers them.
"""
_EXAMPLES = (("crownhead hub --variant international", "what such a program is told to start"),)


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = add_command(
        commands, "hub", purpose="speak the Hub protocol", description=_DESCRIPTION, examples=_EXAMPLES
    )
    add_variant(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Talk until the other side ends it."""
    HubServer(arguments.variant, crownhead.__version__, given=sys.stdin, told=sys.stdout).run()
