"""Documentation of every command and its arguments, from argparse."""

from __future__ import annotations

import argparse
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from crownhead.cli.main import parser

_WIDTH = 84  # columns


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a command: its syntax and purpose."""

    written: str
    purpose: str


@dataclass(frozen=True, slots=True)
class Command:
    """A command: its name, usage, purpose, arguments by group, and examples."""

    words: str
    usage: str
    purpose: str
    groups: tuple[tuple[str, tuple[Argument, ...]], ...]
    examples: str


def commands() -> list[Command]:
    """Return every command without subcommands, in the order of the help."""
    return list(_leaves(parser()))


def _leaves(command: argparse.ArgumentParser) -> Iterator[Command]:
    below = [action for action in command._actions if isinstance(action, argparse._SubParsersAction)]  # noqa: SLF001
    if not below:
        yield _described(command)
    for action in below:
        seen: set[int] = set()
        for parser_below in action.choices.values():
            if id(parser_below) not in seen:  # aliases share a parser
                seen.add(id(parser_below))
                yield from _leaves(parser_below)


def _described(command: argparse.ArgumentParser) -> Command:
    groups = tuple(
        (group.title or "", arguments)
        for group in command._action_groups  # noqa: SLF001 - argparse has no public list of them
        if (arguments := tuple(_arguments(group)))
    )
    return Command(command.prog, _usage(command), command.description or "", groups, command.epilog or "")


def _usage(command: argparse.ArgumentParser) -> str:
    """Return the wrapped usage; an option and its value stay on one line."""
    text = " ".join(command.format_usage().removeprefix("usage:").split())
    bound = re.sub(r"\[[^\[\]]*\]", lambda option: option[0].replace(" ", "\0"), text)
    lines = textwrap.wrap(bound, _WIDTH, subsequent_indent="    ", break_on_hyphens=False)
    return "\n".join(lines).replace("\0", " ")


def _arguments(group: argparse._ArgumentGroup) -> Iterator[Argument]:
    for action in group._group_actions:  # noqa: SLF001
        if action.help is not argparse.SUPPRESS and not isinstance(action, argparse._HelpAction):  # noqa: SLF001
            yield Argument(_written(action), _purpose(action))


def _written(action: argparse.Action) -> str:
    value = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    if action.choices is not None and action.metavar is None:
        value = "{" + ",".join(map(str, action.choices)) + "}"
    if not action.option_strings:
        return value + (" …" if action.nargs in ("+", "*") else "")
    takes_none = action.nargs == 0
    return ", ".join(option if takes_none else f"{option} {value}" for option in action.option_strings)


def _purpose(action: argparse.Action) -> str:
    filled = vars(action) | {"prog": "crownhead"}
    return (action.help or "") % filled
