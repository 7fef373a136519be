"""Defining commands: descriptions, shared options and parsers of their values."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from crownhead.notation.numberings import Numbering
from crownhead.rules.errors import CrownheadError
from crownhead.rules.house import load_variants, register_files
from crownhead.rules.lookup import AUTO, variant_of
from crownhead.rules.position import Position

Commands = argparse._SubParsersAction  # noqa: SLF001 - argparse gives the type no public name

_WIDTH = 80
_TOML = ".toml"

_E = TypeVar("_E", bound=StrEnum)

VARIANT = "a key of 'crownhead variants', or FILE.toml or FILE.toml:KEY for a house variant"
FILES = "a PDN file, may be compressed (.gz); '-' for standard input"


def add_command(
    commands: Commands[argparse.ArgumentParser],
    name: str,
    *,
    purpose: str,
    description: str,
    examples: Sequence[tuple[str, str]],
) -> argparse.ArgumentParser:
    """Add a command; ``examples`` are pairs of a command line and what it does."""
    return commands.add_parser(name, help=purpose, **help_texts(description, examples))


def help_texts(description: str, examples: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Return the arguments for a parser whose help has paragraphs and examples."""
    return {
        "description": paragraphs(description),
        "epilog": _epilog(examples),
        "formatter_class": argparse.RawDescriptionHelpFormatter,
    }


def paragraphs(text: str) -> str:
    """Wrap a text to 80 characters, keeping paragraphs and indented lines."""
    filled = (
        part if part.startswith(" ") else textwrap.fill(part, _WIDTH) for part in text.strip().split("\n\n")
    )
    return "\n\n".join(filled)


def _epilog(examples: Sequence[tuple[str, str]]) -> str:
    lines = [f"  {command}\n      {what}" for command, what in examples]
    return "\n".join(("examples:", *lines))


def add_position(parser: argparse.ArgumentParser) -> None:
    """Add ``--variant`` and ``--fen``."""
    add_variant(parser)
    parser.add_argument(
        "--fen", metavar="FEN", help="the position, such as 'W:W21-32:B1-12' (default: the start position)"
    )


def add_variant(parser: argparse.ArgumentParser, *, default: str = "american") -> None:
    """Add ``--variant``."""
    parser.add_argument(
        "--variant",
        metavar="V",
        type=variant_key,
        default=default,
        help=f"{VARIANT} (default: {default})",
    )


def add_assumed(parser: argparse.ArgumentParser, *names: str) -> None:
    """Add ``--assume``, the variant of games that name none, with further ``names`` of the option."""
    parser.add_argument(
        *names,
        "--assume",
        dest="assume",
        metavar="VARIANT",
        type=assumed_variant,
        default=AUTO,
        help=f"the variant of games that do not name theirs: {VARIANT} (default: auto: recognised by the "
        "squares and by which rules fit the moves)",
    )


def add_numbering(parser: argparse.ArgumentParser, *names: str) -> None:
    """Add ``--numbering``, how squares are numbered in the input, with further ``names`` of the option."""
    parser.add_argument(
        *names,
        "--numbering",
        dest="numbering",
        metavar="NUMBERING",
        type=one_of(Numbering),
        default=Numbering.NATIVE,
        help="how squares are numbered in the input (default: native)",
    )


def add_files(parser: argparse.ArgumentParser) -> None:
    """Add the ``FILE...`` arguments."""
    parser.add_argument("files", metavar="FILE", nargs="+", help=FILES)


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add ``--json``."""
    parser.add_argument("--json", action="store_true", help="print JSON")


def position_of(arguments: argparse.Namespace) -> Position:
    """Return the requested position; raises ``NotationError`` or ``IllegalPosition``."""
    if arguments.fen is None:
        return Position.start(arguments.variant)
    return Position.from_fen(arguments.fen, arguments.variant)


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """Return a parser of whole numbers from ``least`` to ``most``."""

    def parse(text: str) -> int:
        digits = text.strip()
        if not (digits.isascii() and digits.isdigit() and len(digits) <= 9 and least <= int(digits) <= most):
            excerpt = text if len(text) <= 20 else f"{text[:20]}…"
            raise argparse.ArgumentTypeError(
                f"expected a whole number from {least} to {most}, got {excerpt!r}"
            )
        return int(digits)

    return parse


def one_of(known: type[_E]) -> Callable[[str], _E]:
    """Return a parser of the members of an enumeration."""

    def parse(text: str) -> _E:
        try:
            return known(text.lower())
        except ValueError:
            raise argparse.ArgumentTypeError(f"expected one of {', '.join(known)}, got {text!r}") from None

    return parse


def assumed_variant(text: str) -> str:
    """Parse the key of a variant, or ``auto``."""
    return text if text == AUTO else variant_key(text)


def variant_key(text: str) -> str:
    """Parse the key of a variant, or a file whose variants become known: ``my.toml``, ``my.toml:key``."""
    file, key = _file_and_key(text)
    try:
        if file is None:
            return variant_of(key).key
        register_files([file])
        keys = tuple(load_variants(file))
    except CrownheadError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{file}: {error.strerror}") from error
    if not key and len(keys) == 1:
        return keys[0]
    if key not in keys:
        raise argparse.ArgumentTypeError(
            f"expected one of the variants in {file}, such as {file}:{keys[0]}, got {text!r}"
        )
    return key


def _file_and_key(text: str) -> tuple[Path | None, str]:
    file, ending, key = text.rpartition(f"{_TOML}:")
    if ending:
        return Path(file + _TOML), key
    return (Path(text), "") if text.endswith(_TOML) else (None, text)
