"""``crownhead legal``: the legal moves of a position."""

from __future__ import annotations

import argparse
import json

from crownhead.cli.arguments import Commands, add_json, add_position, position_of


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "legal",
        help="list the legal moves of a position",
        description="List the legal moves of a position, one a line.",
    )
    add_position(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> None:
    """Print the moves; raises what ``Position.from_fen`` and ``legal_moves`` raise."""
    position = position_of(chosen)
    moves = [(position.notation(move), move) for move in position.legal_moves()]
    if chosen.json:
        listed = [
            {"notation": text, "path": list(move.path), "captures": list(move.captures)}
            for text, move in moves
        ]
        told = {"variant": position.variant_key, "fen": position.fen(), "turn": position.turn.value}
        print(json.dumps({**told, "moves": listed}, indent=2))
        return
    for text, _ in moves:
        print(text)
    outcome = position.outcome()
    if outcome is not None and outcome.winner is not None:
        print(f"no legal moves: {outcome.winner} has won ({outcome.termination})")
