"""``crownhead hub``: run the engine with the Hub protocol."""

from __future__ import annotations

import argparse
import sys

import crownhead
from crownhead.cli.arguments import Commands, add_command, add_variant
from crownhead.cli.thinking import add_engine, add_threads
from crownhead.engine.hub.server import HubServer
from crownhead.engine.hub.settings import Settings
from crownhead.rules.lookup import variant_of

_DESCRIPTION = """
Run the engine with the Hub protocol, version 2, on standard input and output, for use in graphical
draughts programs. Squares have the variant's own numbers. The options are also parameters of the protocol,
which the other program may set.
"""
_EXAMPLES = (("crownhead hub", "the command to configure in such a program"),)


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = add_command(
        commands,
        "hub",
        purpose="run the engine with the Hub protocol",
        description=_DESCRIPTION,
        examples=_EXAMPLES,
    )
    add_variant(parser, default="international")
    add_engine(parser)
    add_threads(parser)
    parser.add_argument(
        "--no-ponder",
        dest="ponder",
        action="store_false",
        help="name no expected reply, and do not think in the opponent's time",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Run until the other program quits."""
    settings = Settings(
        variant_of(arguments.variant),
        hash=arguments.hash,
        threads=arguments.threads,
        tables=arguments.tables,
        ponder=arguments.ponder,
    )
    HubServer(settings, crownhead.__version__, commands=sys.stdin, output=sys.stdout).run()
