"""``crownhead variants``: list the variants as a table, in detail, or as JSON."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import StrEnum
from textwrap import indent
from typing import Any

from crownhead.cli.arguments import Commands, add_command, add_json, paragraphs, variant_key
from crownhead.cli.tables import table
from crownhead.rules.position import Position
from crownhead.rules.schema import (
    BalanceDraw,
    Crowning,
    DrawRule,
    DrawRules,
    Grid,
    MaterialDraw,
    NoProgressDraw,
    Progress,
    RepetitionDraw,
    Rules,
    Variant,
)
from crownhead.rules.variants import VARIANTS

_DESCRIPTION = """
List the variants: the key used in other commands, the board, the men per side,
who moves first, how kings move, the PDN GameType number, and the name. With keys, describe the rules of
these variants.

House variants are your own, written in a TOML file. Wherever a key is expected, you can give FILE.toml or
FILE.toml:KEY instead. Variants in files that the environment variable CROWNHEAD_VARIANTS names are called by
their keys, like any other.
"""
_EXAMPLES = (
    ("crownhead variants", "all variants"),
    ("crownhead variants frisian turkish", "the rules of two variants"),
    ("crownhead variants --json", "all data as JSON"),
)
_HEADING = ("KEY", "BOARD", "MEN", "BEGINS", "KINGS", "PDN", "NAME")
_MAX_FORCES = 3  # shown; longer lists continue in the same way
_WORD = re.compile(r"(?<!^)(?=[A-Z])")


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = add_command(
        commands, "variants", purpose="list the variants", description=_DESCRIPTION, examples=_EXAMPLES
    )
    parser.add_argument(
        "keys",
        metavar="V",
        nargs="*",
        type=variant_key,
        help="the key of a variant, or a file of house variants: FILE.toml or FILE.toml:KEY",
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Print the table, or the details of the given variants."""
    variants = [VARIANTS[key] for key in arguments.keys] or list(VARIANTS.values())
    if arguments.json:
        print(json.dumps([_described(variant) for variant in variants], indent=2))
    elif arguments.keys:
        print("\n\n".join("\n".join(_in_detail(variant)) for variant in variants))
    else:
        for line in table(_HEADING, [_row(variant) for variant in variants], right=(1, 2, 5)):
            print(line)


def _row(variant: Variant) -> tuple[str, ...]:
    number = variant.notation.game_type
    return (
        variant.key,
        _size(variant),
        str(len(variant.start.white)),
        variant.start.first.value,
        _kings(variant.rules),
        "–" if number is None else str(number),
        variant.name,
    )


def _size(variant: Variant) -> str:
    return f"{variant.board.width}x{variant.board.height}"


def _kings(rules: Rules) -> str:
    if rules.crowning is Crowning.NEVER:
        return "none"
    return "fly" if rules.flying_king else "step"


def _in_detail(variant: Variant) -> Iterator[str]:
    yield f"{variant.name} ({variant.key})"
    yield ""
    yield paragraphs(variant.summary)
    yield ""
    named = {
        Grid.CHECKERED: "squares of one colour",
        Grid.FULL: "every square",
        Grid.LINES: "points on lines",
    }
    yield f"  board   {_size(variant)}, {named[variant.board.grid]}"
    yield f"  draws   {variant.draws.name}"
    yield from (f"          {_in_words(rule)}" for rule in variant.draws.rules)
    yield ""
    yield indent(str(Position.start(variant)), "  ")


def _in_words(rule: DrawRule) -> str:
    how = "" if rule.automatic else ", on claim"
    match rule:
        case RepetitionDraw():
            return f"a position occurs {rule.times} times{how}"
        case NoProgressDraw():
            return f"{rule.moves_each} moves by each side without {_resets(rule.resets)}{how}"
        case BalanceDraw():
            low, high = rule.pieces
            return (
                f"{rule.moves_each} moves by each side with {low}-{high} pieces, none taken or crowned{how}"
            )
        case MaterialDraw():
            forces = f"{_forces(rule.strong)} against {_forces(rule.weak)}"
            where = " on the long diagonal" if rule.on_main_road else ""
            return f"{rule.moves_each} moves by each side with {forces}{where}{how}"


def _forces(forces: frozenset[str]) -> str:
    ordered = sorted(forces, key=lambda force: (len(force), force))
    return "/".join(ordered[:_MAX_FORCES]) + ("/…" if len(ordered) > _MAX_FORCES else "")


def _resets(resets: frozenset[Progress]) -> str:
    return " or ".join(f"a {progress.value.replace('-', ' ')}" for progress in sorted(resets))


def _described(variant: Variant) -> dict[str, object]:
    """Return the main facts, then all data of the variant."""
    return {
        "key": variant.key,
        "name": variant.name,
        "width": variant.board.width,
        "height": variant.board.height,
        "first": variant.start.first.value,
        "game_type": variant.notation.game_type,
        "draw_rules": variant.draws.key,
        "summary": variant.summary,
        "dark_name": variant.dark_name,
        "opening_plies": variant.opening_plies,
        "fen": Position.start(variant).fen(),
        "board": {**_plain(variant.board), "squares": variant.board.squares},
        "notation": _plain(variant.notation),
        "start": _plain(variant.start),
        "rules": _plain(variant.rules),
        "draws": _draws(variant.draws),
    }


def _draws(draws: DrawRules) -> dict[str, object]:
    kinds = [_WORD.sub("-", type(rule).__name__.removesuffix("Draw")).lower() for rule in draws.rules]
    rules = [{"kind": kind, **_plain(rule)} for kind, rule in zip(kinds, draws.rules, strict=True)]
    return {"key": draws.key, "name": draws.name, "rules": rules}


def _plain(value: Any) -> Any:
    """Convert a value to JSON data; sets become sorted lists."""
    if isinstance(value, StrEnum):
        return value.value
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, frozenset):
        return sorted(map(_plain, value))
    if isinstance(value, tuple):
        return list(map(_plain, value))
    return value
