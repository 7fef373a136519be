"""``crownhead analyse``: what the engine thinks of a position."""

from __future__ import annotations

import argparse
import json

from crownhead import engine
from crownhead.cli.arguments import Commands, add_command, add_json, add_position, position_of, whole_number
from crownhead.cli.thinking import add_limits, as_dict, follower, limits_of, shown

_DESCRIPTION = """
Let the engine think about a position, and print what it expects: the depth in plies, the score in men for the
side to move, the time, and the moves.

The exit status is 0, 1 if the position makes no sense.
"""
_EXAMPLES = (
    ("crownhead analyse --seconds 5", "the start of American checkers"),
    ("crownhead analyse --fen 'W:WK10,K11:BK1,K4' --depth 20", "an ending"),
    ("crownhead analyse --variant russian --lines 3 --json", "the three best moves, for programs"),
)


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = add_command(
        commands, "analyse", purpose="let the engine think", description=_DESCRIPTION, examples=_EXAMPLES
    )
    add_position(parser)
    add_limits(parser)
    parser.add_argument(
        "--lines",
        metavar="N",
        type=whole_number(1, 50),
        default=1,
        help="how many moves to compare (default: 1)",
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Print the report; raises what ``Position.from_fen`` raises."""
    position = position_of(arguments)
    report = engine.analyse(
        position, lines=arguments.lines, tell=follower(not arguments.json), **limits_of(arguments)
    )
    if arguments.json:
        head = {"variant": position.variant_key, "fen": position.fen()}
        print(json.dumps(head | as_dict(report), indent=2))
        return
    if not report.lines:
        print("The game is over in this position.")
    for number in range(len(report.lines)):
        print(shown(report, number))
