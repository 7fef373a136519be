"""Lines of the Hub protocol: a command with arguments, and moves as it writes them.

Source: the protocol's text, version 2, by Fabien Letouzey (Scan 3).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from crownhead.rules import Move, Position
from crownhead.rules.errors import IllegalMove

_ARGUMENT = re.compile(r'([^\s="]+)(?:\s*=\s*(?:"([^"]*)"|([^\s"]*)))?')
_PLAIN = re.compile(r"[^\s=\"]+")


@dataclass(frozen=True, slots=True)
class Line:
    """A command and its arguments; one without a value is a flag and has the empty text."""

    command: str
    arguments: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return " ".join((self.command, *(_written(name, value) for name, value in self.arguments.items())))


def read(text: str) -> Line | None:
    """The line of a text; None for an empty one."""
    arguments = [(name, quoted or plain or "") for name, quoted, plain in _ARGUMENT.findall(text)]
    if not arguments:
        return None
    return Line(arguments[0][0], dict(arguments[1:]))


def write_move(move: Move) -> str:
    """``32-28``, or with every piece taken ``28x19x23``; squares as the variant numbers them."""
    if not move.captures:
        return f"{move.origin}-{move.target}"
    return "x".join(map(str, (move.origin, move.target, *sorted(move.captures))))


def read_move(position: Position, text: str) -> Move:
    """The legal move of a text; raises ``IllegalMove``."""
    for move in position.legal_moves():
        if _same(write_move(move), text):
            return move
    legal = ", ".join(map(write_move, position.legal_moves()))
    raise IllegalMove(text, position.fen(), f"it must be one of {legal}")


def _same(written: str, text: str) -> bool:
    """Whether two texts are the same move: the pieces taken may come in any order."""
    ours, theirs = written.split("x"), text.split("x")
    return ours[:2] == theirs[:2] and sorted(ours[2:]) == sorted(theirs[2:])


def _written(name: str, value: str) -> str:
    if not value:
        return name
    return f"{name}={value}" if _PLAIN.fullmatch(value) else f'{name}="{value}"'
