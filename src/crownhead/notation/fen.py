"""Positions as FEN (PDN 3.0): read in every form that is met, written in one.

``W:W21,22,K30:B1,2``: the side to move, then each side's squares; ``K`` marks a king, ``31-50`` a
range. Beyond the standard: an empty side, a mule marked ``M`` where the variant has mules, and the
counters ``:H0:F1`` (and ``:+0+2`` of Frisian servers), which are read over, as are the men ``G`` and
kings ``P`` that lidraughts lists while a capture that has taken them goes on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType

from crownhead.rules.errors import NotationError
from crownhead.rules.geometry import numbers_by_name, squares
from crownhead.rules.lookup import variant_of
from crownhead.rules.schema import Colour, PieceKind, Variant
from crownhead.rules.setup import Piece, Setup

LONGEST = 1000  # characters; a full board of 12×12 needs 300

_COLOURS = {colour.letter: colour for colour in Colour}
_KINDS = {"": PieceKind.MAN, "K": PieceKind.KING, "M": PieceKind.MULE}
_MARKS = {kind: mark for mark, kind in _KINDS.items()}
_TAKEN = ("G", "P")
_ITEM = re.compile(r"\s*(?P<mark>[KMGP]?)\s*(?P<first>[a-z]?\d{1,4})(?:\s*-\s*(?P<last>\d{1,4}))?\s*")
_COUNTER = re.compile(r"\s*(?:[HF]\d{1,6}|\+\d+\+\d+)\s*")


def read(text: str, variant_key: str) -> Setup:
    """The arrangement a FEN describes, its squares numbered or named as the variant writes them.

    Where squares have names, numbers are read too. A turn of ``?`` means the side that begins.
    Raises ``NotationError`` and ``UnknownVariant``.
    """
    variant = variant_of(variant_key)
    if not isinstance(text, str):
        raise NotationError("a FEN such as 'W:W21-32:B1-12'", text)
    if len(text) > LONGEST:
        raise NotationError(f"a FEN of at most {LONGEST} characters", text, column=LONGEST + 1)
    return _Reading(text, variant).setup()


def write(setup: Setup) -> str:
    """The FEN of an arrangement: White's pieces first, no ranges, as the oldest readers expect it."""
    variant = variant_of(setup.variant_key)
    names = squares(variant.board, variant.notation)
    sides: dict[Colour, list[str]] = {Colour.WHITE: [], Colour.BLACK: []}
    for number, piece in sorted(setup.pieces.items()):
        sides[piece.colour].append(_MARKS[piece.kind] + names[number].name)
    lists = (f"{colour.letter}{','.join(items)}" for colour, items in sides.items())
    return ":".join((setup.turn.letter, *lists))


@dataclass(slots=True)
class _Reading:
    """One FEN being read; ``at`` is the index of the first character not yet read."""

    text: str
    variant: Variant
    at: int = 0
    pieces: dict[int, Piece] = field(default_factory=dict)

    def setup(self) -> Setup:
        sections = self.text.rstrip(". \t\r\n").split(":")
        turn = self._turn(sections[0])
        for section in sections[1:]:
            self.at += 1
            self._section(section)
        if len(sections) == 1:
            raise self._error("':' and the pieces of a side")
        return Setup(self.variant.key, turn, MappingProxyType(dict(sorted(self.pieces.items()))))

    def _turn(self, section: str) -> Colour:
        letter = section.strip()
        if letter == "?":
            self.at = len(section)
            return self.variant.start.first
        if letter not in _COLOURS:
            raise self._error("the side to move, 'W' or 'B'")
        self.at = len(section)
        return _COLOURS[letter]

    def _section(self, section: str) -> None:
        end = self.at + len(section)
        body = section.lstrip()
        if body and not _COUNTER.fullmatch(body):
            self.at = end - len(body)
            if body[0] not in _COLOURS:
                raise self._error("a side, 'W' or 'B'")
            self.at += 1
            if body[1:].strip():
                self._items(body[1:], _COLOURS[body[0]])
        self.at = end

    def _items(self, items: str, colour: Colour) -> None:
        usual = _usual_items(self.variant.key, colour)
        for item in items.split(","):
            if item in usual:
                self._place(*usual[item])
                self.at += len(item) + 1
                continue
            match = _ITEM.fullmatch(item)
            if match is None:
                raise self._error(f"a square such as {self._example()}")
            taken = match["mark"] in _TAKEN
            piece = Piece(colour, PieceKind.MAN if taken else self._kind(match["mark"]))
            first = self._number(match["first"])
            last = first if match["last"] is None else self._number(match["last"])
            if match["last"] is not None and (last < first or not match["first"].isdigit()):
                raise self._error("a range of ascending numbers such as '1-12'")
            for number in () if taken else range(first, last + 1):
                self._place(number, piece)
            self.at += len(item) + 1

    def _place(self, number: int, piece: Piece) -> None:
        if number in self.pieces:
            raise self._error(f"each square once, found {number} again")
        self.pieces[number] = piece

    def _kind(self, mark: str) -> PieceKind:
        kind = _KINDS[mark]
        if kind is PieceKind.MULE and not self.variant.rules.mules:
            raise self._error("a man or a king, there being no mules in this variant,")
        return kind

    def _number(self, name: str) -> int:
        numbers = numbers_by_name(self.variant.board, self.variant.notation)
        key = name.lstrip("0") or "0"
        if key not in numbers or (name[0].isalpha() and not self.variant.notation.algebraic):
            raise self._error(f"a square of the board such as {self._example()}")
        return numbers[key]

    def _example(self) -> str:
        names = squares(self.variant.board, self.variant.notation)
        return f"'{names[1].name}' or 'K{names[len(names)].name}'"

    def _error(self, expected: str) -> NotationError:
        return NotationError(expected, self.text, column=self.at + 1)


@cache
def _usual_items(variant_key: str, colour: Colour) -> Mapping[str, tuple[int, Piece]]:
    """The items that most FENs are made of, men and kings on single squares, and what they mean."""
    variant = variant_of(variant_key)
    man, king = Piece(colour), Piece(colour, PieceKind.KING)
    usual: dict[str, tuple[int, Piece]] = {}
    for square in squares(variant.board, variant.notation).values():
        for name in (square.name, str(square.number)):
            usual[name] = (square.number, man)
            usual[f"K{name}"] = (square.number, king)
    return MappingProxyType(usual)
