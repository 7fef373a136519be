"""``crownhead variants``: the variants there are."""

from __future__ import annotations

import argparse
import json

from crownhead.cli.arguments import Commands, add_json
from crownhead.rules.schema import Variant
from crownhead.rules.variants import VARIANTS


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser("variants", help="list the variants", description="List the variants.")
    add_json(parser)
    parser.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> None:
    """Print the table."""
    if chosen.json:
        print(json.dumps([_described(variant) for variant in VARIANTS.values()], indent=2))
        return
    width = max(map(len, VARIANTS))
    for variant in VARIANTS.values():
        board = f"{variant.board.width}x{variant.board.height}"
        print(f"{variant.key:<{width}}  {board:>5}  {variant.name}")


def _described(variant: Variant) -> dict[str, object]:
    return {
        "key": variant.key,
        "name": variant.name,
        "width": variant.board.width,
        "height": variant.board.height,
        "first": variant.start.first.value,
        "game_type": variant.notation.game_type,
        "draw_rules": variant.draws.key,
        "summary": variant.summary,
    }
