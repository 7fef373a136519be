"""How commands are described, options that several share, and how their values are parse."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any, TypeVar

from crownhead.rules.errors import UnknownVariant
from crownhead.rules.lookup import variant_of
from crownhead.rules.position import Position

Commands = argparse._SubParsersAction  # noqa: SLF001 - argparse gives the type no public name

_WIDTH = 80

_E = TypeVar("_E", bound=StrEnum)

FILES = "a PDN file, packed (.gz) or not; '-' is the standard input"


def add_command(
    commands: Commands[argparse.ArgumentParser],
    name: str,
    *,
    purpose: str,
    description: str,
    examples: Sequence[tuple[str, str]],
) -> argparse.ArgumentParser:
    """A command; ``description`` has paragraphs, ``examples`` are command lines and what each does."""
    return commands.add_parser(name, help=purpose, **help_texts(description, examples))


def help_texts(description: str, examples: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """What a parser is told so that its help has paragraphs and examples."""
    return {
        "description": paragraphs(description),
        "epilog": _epilog(examples),
        "formatter_class": argparse.RawDescriptionHelpFormatter,
    }


def paragraphs(text: str) -> str:
    """A text in lines of 80 characters, empty lines staying between paragraphs; indented lines stay."""
    filled = (
        part if part.startswith(" ") else textwrap.fill(part, _WIDTH) for part in text.strip().split("\n\n")
    )
    return "\n\n".join(filled)


def _epilog(examples: Sequence[tuple[str, str]]) -> str:
    lines = [f"  {command}\n      {what}" for command, what in examples]
    return "\n".join(("examples:", *lines))


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
        type=variant_key,
        default="american",
        help="a key that 'crownhead variants' lists (default: american)",
    )


def add_assumed(parser: argparse.ArgumentParser, *names: str) -> None:
    """The variant of games that name none; ``names`` of the option besides ``--assume``."""
    parser.add_argument(
        *names,
        "--assume",
        dest="assume",
        metavar="V",
        type=variant_key,
        default="american",
        help="the variant of games that name none, a key that 'crownhead variants' lists (default: american)",
    )


def add_files(parser: argparse.ArgumentParser) -> None:
    """``FILE...``."""
    parser.add_argument("files", metavar="FILE", nargs="+", help=FILES)


def add_json(parser: argparse.ArgumentParser) -> None:
    """``--json``."""
    parser.add_argument("--json", action="store_true", help="print JSON")


def position_of(arguments: argparse.Namespace) -> Position:
    """The position asked for; raises ``NotationError`` or ``IllegalPosition``."""
    if arguments.fen is None:
        return Position.start(arguments.variant)
    return Position.from_fen(arguments.fen, arguments.variant)


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """A judge of numbers from ``least`` to ``most``."""

    def parse(text: str) -> int:
        digits = text.strip()
        if not (digits.isascii() and digits.isdigit() and len(digits) <= 9 and least <= int(digits) <= most):
            shown = text if len(text) <= 20 else f"{text[:20]}…"
            raise argparse.ArgumentTypeError(f"expected a whole number from {least} to {most}, got {shown!r}")
        return int(digits)

    return parse


def one_of(known: type[_E]) -> Callable[[str], _E]:
    """A judge of the members of an enumeration."""

    def parse(text: str) -> _E:
        try:
            return known(text.lower())
        except ValueError:
            raise argparse.ArgumentTypeError(f"expected one of {', '.join(known)}, got {text!r}") from None

    return parse


def variant_key(text: str) -> str:
    """A judge of keys of the table."""
    try:
        return variant_of(text).key
    except UnknownVariant as error:
        raise argparse.ArgumentTypeError(str(error)) from error
