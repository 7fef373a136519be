"""``crownhead legal``: list the legal moves of a position."""

from __future__ import annotations

import argparse
import json

from crownhead.cli.arguments import Commands, add_command, add_json, add_position, position_of

_DESCRIPTION = """
List the legal moves of a position, one per line, in PDN notation: first and last square, or
the whole path if two moves share these.

The exit status is 0, or 1 if the position is invalid.
"""
_EXAMPLES = (
    ("crownhead legal", "the first moves of American checkers"),
    ("crownhead legal --variant russian --fen 'W:Wc3,a1:Bd4,f6,h8'", "the moves of a position"),
    ("crownhead legal --variant dameo --json", "as JSON, with paths and captures as square numbers"),
)


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = add_command(
        commands,
        "legal",
        purpose="list the legal moves of a position",
        description=_DESCRIPTION,
        examples=_EXAMPLES,
    )
    add_position(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Print the moves; raises what ``Position.from_fen`` and ``notations`` raise."""
    position = position_of(arguments)
    moves = position.notations()
    if arguments.json:
        listed = [
            {"notation": text, "path": list(move.path), "captures": list(move.captures)}
            for move, text in moves.items()
        ]
        data = {"variant": position.variant_key, "fen": position.fen(), "turn": position.turn.value}
        print(json.dumps({**data, "moves": listed}, indent=2))
        return
    for text in moves.values():
        print(text)
    outcome = position.outcome()
    if outcome is not None and outcome.winner is not None:
        print(f"no legal moves: {outcome.winner} has won ({outcome.termination})")
