"""Options that several commands share, and how their values are judged."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from crownhead.rules.errors import UnknownVariant
from crownhead.rules.lookup import variant_of
from crownhead.rules.position import Position

Commands = argparse._SubParsersAction  # noqa: SLF001 - argparse gives the type no public name


def add_position(parser: argparse.ArgumentParser) -> None:
    """``--variant`` and ``--fen``."""
    add_variant(parser)
    parser.add_argument(
        "--fen", metavar="FEN", help="the position, such as 'W:W21-32:B1-12' (default: the start)"
    )


def add_variant(parser: argparse.ArgumentParser) -> None:
    """``--variant``, a key of the table."""
    parser.add_argument(
        "--variant",
        metavar="V",
        type=_variant_key,
        default="american",
        help="a key that 'crownhead variants' lists (default: american)",
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """``--json``."""
    parser.add_argument("--json", action="store_true", help="print JSON")


def position_of(chosen: argparse.Namespace) -> Position:
    """The position asked for; raises ``NotationError`` or ``IllegalPosition``."""
    if chosen.fen is None:
        return Position.start(chosen.variant)
    return Position.from_fen(chosen.fen, chosen.variant)


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """A judge of numbers from ``least`` to ``most``."""

    def judged(text: str) -> int:
        digits = text.strip()
        if not (digits.isascii() and digits.isdigit() and len(digits) <= 9 and least <= int(digits) <= most):
            shown = text if len(text) <= 20 else f"{text[:20]}…"
            raise argparse.ArgumentTypeError(f"expected a whole number from {least} to {most}, got {shown!r}")
        return int(digits)

    return judged


def _variant_key(text: str) -> str:
    try:
        return variant_of(text).key
    except UnknownVariant as error:
        raise argparse.ArgumentTypeError(str(error)) from error
