"""The commands and options for shell completion, extracted from the parsers."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from crownhead.cli.arguments import Commands
from crownhead.cli.games.conditions import Ending
from crownhead.notation.numberings import Numbering
from crownhead.notation.pdn import Style
from crownhead.rules.lookup import AUTO
from crownhead.rules.variants import VARIANTS

_WORDS = {  # possible values by metavar, besides the keys of variants
    "STYLE": tuple(map(str, Style)),
    "NUMBERING": tuple(map(str, Numbering)),
    "RESULT": tuple(map(str, Ending)),
}


class Kind(StrEnum):
    """The type of an option's value or of an operand."""

    NONE = "none"  # no value
    WORDS = "words"
    FILES = "files"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Option:
    """An option: its names, purpose and value."""

    names: tuple[str, ...]
    purpose: str
    kind: Kind
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Command:
    """A command by its path, such as ``("pdn", "check")``; empty for the program itself."""

    path: tuple[str, ...]
    options: tuple[Option, ...]
    subcommands: tuple[tuple[str, str], ...]  # (name, purpose)
    operands: Kind  # arguments besides options
    words: tuple[str, ...] = ()


def commands_of(parser: argparse.ArgumentParser, path: tuple[str, ...] = ()) -> Iterator[Command]:
    """Yield a parser's command and its subcommands, recursively."""
    options: list[Option] = []
    subcommands: list[tuple[str, str]] = []
    operands: tuple[Kind, tuple[str, ...]] = (Kind.NONE, ())
    below: list[tuple[str, argparse.ArgumentParser]] = []
    for action in parser._actions:  # noqa: SLF001 - argparse has no public list of them
        if isinstance(action, Commands):
            below = list(action.choices.items())
            purposes = {choice.dest: choice.help or "" for choice in action._get_subactions()}  # noqa: SLF001
            subcommands = [(name, purposes.get(name, "")) for name, _ in below]
        elif action.option_strings:
            options.append(Option(tuple(action.option_strings), _purpose(action), *_value(action)))
        else:
            operands = _value(action)
    yield Command(path, tuple(options), tuple(subcommands), *operands)
    for name, inner in below:
        yield from commands_of(inner, (*path, name))


def _value(action: argparse.Action) -> tuple[Kind, tuple[str, ...]]:
    if action.nargs == 0:
        return Kind.NONE, ()
    if action.choices is not None:
        return Kind.WORDS, tuple(map(str, action.choices))
    name = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    if name == "V":
        return Kind.WORDS, tuple(VARIANTS)
    if name == "VARIANT":
        return Kind.WORDS, (AUTO, *VARIANTS)
    if name in _WORDS:
        return Kind.WORDS, _WORDS[name]
    return (Kind.FILES if name == "FILE" or action.type is Path else Kind.TEXT), ()


def _purpose(action: argparse.Action) -> str:
    """Return the help on one line, without the parts that argparse fills in."""
    return " ".join((action.help or "").split("(default")[0].split("%(")[0].split()).strip()
