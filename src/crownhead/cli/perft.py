"""``crownhead perft``: how many move sequences a position has."""

from __future__ import annotations

import argparse
import json
import time

from crownhead.cli.arguments import Commands, add_json, add_position, position_of, whole_number
from crownhead.rules.position import Position

_DEEPEST = 20  # plies; nobody can wait for more, and the counts would leave 64 bits


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "perft",
        help="count move sequences",
        description="Count the move sequences of a length; a check of the rules and of their speed.",
    )
    add_position(parser)
    parser.add_argument(
        "--depth",
        metavar="N",
        type=whole_number(1, _DEEPEST),
        required=True,
        help=f"plies, from 1 to {_DEEPEST}",
    )
    parser.add_argument("--divide", action="store_true", help="count for each first move apart")
    add_json(parser)
    parser.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> None:
    """Print the count; raises what ``Position.from_fen`` and ``perft`` raise."""
    position = position_of(chosen)
    began = time.perf_counter()
    divided = _divided(position, chosen.depth) if chosen.divide else {}
    nodes = sum(divided.values()) if chosen.divide else position.perft(chosen.depth)
    seconds = time.perf_counter() - began
    if chosen.json:
        told = {"variant": position.variant_key, "fen": position.fen(), "depth": chosen.depth}
        counted = {"nodes": nodes, "seconds": round(seconds, 6)}
        print(json.dumps({**told, **counted, **({"divide": divided} if chosen.divide else {})}, indent=2))
        return
    for text, count in divided.items():
        print(f"{text}  {count}")
    print(f"{nodes} nodes at depth {chosen.depth} in {seconds:.3f} s")


def _divided(position: Position, depth: int) -> dict[str, int]:
    return {position.notation(move): position.play(move).perft(depth - 1) for move in position.legal_moves()}
