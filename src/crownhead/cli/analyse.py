"""``crownhead analyse``: analyse a position with the engine."""

from __future__ import annotations

import argparse
import json

from crownhead.cli.arguments import Commands, add_command, add_json, add_position, position_of, whole_number
from crownhead.cli.thinking import (
    add_engine,
    add_limits,
    as_dict,
    engine_of,
    follower,
    format_line,
    limits_of,
)

_DESCRIPTION = """
Analyse a position with the engine and print the depth in plies, the score in men from the point of view of
the side to move, the time, and the best line.

The exit status is 0, or 1 if the position is invalid.
"""
_EXAMPLES = (
    ("crownhead analyse --seconds 5", "the start of American checkers"),
    ("crownhead analyse --fen 'W:WK10,K11:BK1,K4' --depth 20", "an endgame"),
    ("crownhead analyse --variant russian --lines 3 --json", "the three best moves as JSON"),
)


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = add_command(
        commands,
        "analyse",
        purpose="analyse a position with the engine",
        description=_DESCRIPTION,
        examples=_EXAMPLES,
    )
    add_position(parser)
    add_limits(parser)
    add_engine(parser)
    parser.add_argument(
        "--lines",
        metavar="N",
        type=whole_number(1, 50),
        default=1,
        help="number of best moves to show (default: 1)",
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Print the report; raises what ``Position.from_fen`` raises."""
    position = position_of(arguments)
    report = engine_of(arguments, position.variant).analyse(
        position, lines=arguments.lines, on_report=follower(not arguments.json), **limits_of(arguments)
    )
    if arguments.json:
        head = {"variant": position.variant_key, "fen": position.fen()}
        print(json.dumps(head | as_dict(report), indent=2))
        return
    if not report.lines:
        print("The game is over in this position.")
    for number in range(len(report.lines)):
        print(format_line(report, number))
