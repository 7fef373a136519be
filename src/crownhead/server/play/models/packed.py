"""Columns whose texts can be kept in a short form; anyone who reads one gets the text.

What is short is told by its first character, which no text of a game begins with, so both forms stand in
one column. Neither needs the laws to be read: moves are squares, not places in a list of legal moves.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, NamedTuple

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper

from crownhead import Position
from crownhead.rules.variants import STOCK

SQUARES = 1  # the number of this form, in `Game.encoding`
LEFT_AS_TEXT = 0  # what has no short form

# Moves in the short form begin with this, with the number of ranks where squares have names like c3 (else
# `_NUMBERED`), and with what stands between the squares of a capture. Then each ply: its two squares; or a
# sign that says it is a capture, and of how many squares; or a sign, the number of squares, and those.
_MARK = "\x01"
_NUMBERED = 127
_MOST = 122  # squares: their characters are 1 to 122, for a text cannot hold a zero
_CAPTURES = {2: 123, 3: 124, 4: 125}  # signs by the number of squares
_CAPTURE, _QUIET = 126, 127  # signs of other captures and other moves
_JOINT = re.compile("[-x:]")
_RANK = re.compile(r"[a-w](\d+)")


class MovesField(models.TextField):  # type: ignore[type-arg] # no class takes arguments at run time
    """Moves as PDN tokens with spaces between them; what `pack` makes of them reads the same."""

    def from_db_value(self, value: str, _expression: Any, _connection: BaseDatabaseWrapper) -> str:
        """The tokens. A damaged text stays as it is, for its replay tells what is wrong."""
        try:
            return unpack(value) if value.startswith(_MARK) else value
        except (LookupError, ValueError):
            return value


class StartField(models.CharField):  # type: ignore[type-arg] # as above
    """A FEN; ``=`` with the key of a variant stands for the array from which it is played."""

    def from_db_value(self, value: str, _expression: Any, _connection: BaseDatabaseWrapper) -> str:
        """The FEN."""
        return _array(value[1:]) if value.startswith("=") else value


def short_start(variant: str, fen: str) -> str:
    """The FEN, or what stands for it if it is the array of a variant of the package."""
    return f"={variant}" if variant in STOCK and _array(variant) == fen else fen


def pack(moves: str) -> str | None:
    """The short form of moves; None if they have none."""
    marks = {mark for mark in "x:" if mark in moves} or {"x"}
    names = _names(_ranks(moves))
    try:
        (capture,) = marks
        plies = "".join(_ply(token, capture, names.places) for token in moves.split(" "))
    except (LookupError, ValueError):
        return None
    packed = f"{_MARK}{chr(names.ranks)}{capture}{plies}"
    return packed if unpack(packed) == moves else None


def unpack(packed: str) -> str:
    """The moves of a short form; raises ``LookupError`` or ``ValueError`` if it is none."""
    names, capture = _names(ord(packed[1])).by_place, packed[2]
    tokens, at, end = [], 3, len(packed)
    while at < end:
        sign, joint, count = ord(packed[at]), "-", 2
        if sign > _MOST:
            at += 1
            joint = "-" if sign == _QUIET else capture
            if sign >= _CAPTURE:
                count = ord(packed[at])
                at += 1
            else:
                count = sign - 121
        squares = packed[at : at + count]
        if len(squares) < count:
            raise ValueError(f"expected {count} squares at the end of packed moves, got {len(squares)}")
        tokens.append(joint.join([names[square] for square in squares]))
        at += count
    return " ".join(tokens)


class _Names(NamedTuple):
    """The squares of a board by name, as characters, and the other way."""

    ranks: int
    places: dict[str, str]
    by_place: dict[str, str]


@cache
def _names(ranks: int) -> _Names:
    """The squares of a board with so many ranks; `_NUMBERED`: of one whose squares have numbers."""
    if ranks == _NUMBERED:
        names = [str(number) for number in range(1, _MOST + 1)]
    else:
        files = "abcdefghijklmnopqrstuvw"
        names = [f"{file}{rank}" for file in files for rank in range(1, ranks + 1)][:_MOST]
    places = {name: chr(place) for place, name in enumerate(names, start=1)}
    return _Names(ranks, places, {place: name for name, place in places.items()})


def _ranks(moves: str) -> int:
    """The highest rank in the names of squares, or what says that these are numbers."""
    return max((int(rank) for rank in _RANK.findall(moves)), default=_NUMBERED)


def _ply(token: str, capture: str, places: dict[str, str]) -> str:
    squares = [places[name] for name in _JOINT.split(token)]
    count = len(squares)
    if capture in token:
        sign = chr(_CAPTURES[count]) if count in _CAPTURES else chr(_CAPTURE) + chr(count)
    else:
        sign = "" if count == 2 else chr(_QUIET) + chr(count)
    return sign + "".join(squares)


@cache
def _array(variant: str) -> str:
    return Position.start(variant).fen()
