"""Positions as FEN (PDN 3.0): reading many forms, writing one.

``W:W21,22,K30:B1,2``: the side to move, then each side's squares; ``K`` marks a king, ``31-50`` a
range. Beyond the standard: an empty side; ``M`` (mule) and ``P`` (parachutist) in variants
that have them; king runs such as ``:+0+2@46`` where they matter (``king_runs.py``). Ignored are the counters
``:H0:F1``, and the men ``G`` and kings ``P`` that lidraughts lists as already captured during a
capture.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from crownhead.notation import king_runs
from crownhead.notation.numberings import Numbering, names, numbers
from crownhead.rules.errors import NotationError
from crownhead.rules.lookup import variant_of
from crownhead.rules.position import Position
from crownhead.rules.protocols import PlainSquares
from crownhead.rules.schema import Colour, PieceKind, Variant
from crownhead.rules.setup import KingRun, Piece, Setup

LONGEST = 1000  # characters; a full board of 12×12 needs 300

MARKS = {PieceKind.MAN: "", PieceKind.KING: "K", PieceKind.MULE: "M", PieceKind.PARACHUTIST: "P"}

_COLOURS = {colour.letter: colour for colour in Colour}
_TAKEN = ("G", "P")
_ITEM = re.compile(
    r"\s*(?P<mark>[KMGP]?)\s*(?P<first>[a-z]?\d{1,4})(?:\s*-\s*(?P<last>\d{1,4}))?\s*", re.ASCII
)
_COUNTER = re.compile(r"\s*[HF]\d{1,6}\s*", re.ASCII)


def read(text: str, variant: str | Variant, numbering: Numbering = Numbering.NATIVE) -> Setup:
    """Parse a FEN whose squares are in ``numbering``.

    Names and the variant's own numbers are both accepted in any case. A
    turn of ``?`` means the side that begins. Raises ``NotationError`` and ``UnknownVariant``.
    """
    row = variant_of(variant)
    if not isinstance(text, str):
        raise NotationError("a FEN such as 'W:W21-32:B1-12'", text)
    if len(text) > LONGEST:
        raise NotationError(f"a FEN of at most {LONGEST} characters", text, column=LONGEST + 1)
    return _Reading(text, row, numbering).setup()


def write(setup: Setup, numbering: Numbering = Numbering.NATIVE) -> str:
    """Return the FEN of a setup: White's pieces first and no ranges, as old readers expect."""
    called = names(setup.variant, numbering)
    sides: dict[Colour, list[str]] = {Colour.WHITE: [], Colour.BLACK: []}
    for number, piece in sorted(setup.pieces.items()):
        sides[piece.colour].append(MARKS[piece.kind] + called[number])
    lists = (f"{colour.letter}{','.join(items)}" for colour, items in sides.items())
    runs = king_runs.write(setup.king_runs, setup.pieces, called)
    return ":".join((setup.turn.letter, *lists, *([runs] if runs else [])))


# ----------------------------------------------------------------------- common forms, fast path
class _SquareTexts(NamedTuple):
    """The texts for the squares and pieces of a variant, for lookup in both directions."""

    written: tuple[list[str], ...]  # for men, kings and special men, indexed by square number (0 is unused)
    men: Mapping[str, int]  # square number by text of a man
    pieces: Mapping[str, tuple[int, int]]  # (index in ``written``, square number) by text of a piece
    counts_runs: bool


def plain_squares(text: str, variant: Variant) -> PlainSquares | None:
    """Return the arguments of ``Position`` after the variant, for a FEN in a common form.

    Returns None for any other text; use ``read`` for that, which also reports errors.
    """
    try:
        turn, first, second, *counters = text.split(":")
        if turn not in _COLOURS or len(text) > LONGEST:
            return None
        if counters and not all(map(_COUNTER.fullmatch, counters)):
            return None
        if first[0] == "B":
            first, second = second, first
        if first[0] != "W" or second[0] != "B":
            return None
        texts = _square_texts(variant)
        white_men, white_kings, white_marked = _plain_side(first, texts)
        black_men, black_kings, black_marked = _plain_side(second, texts)
    except (ValueError, KeyError, IndexError, AttributeError, TypeError):
        return None
    return turn == "B", black_men, black_kings, white_men, white_kings, black_marked, white_marked


def _plain_side(section: str, texts: _SquareTexts) -> tuple[Sequence[int], Sequence[int], Sequence[int]]:
    """Parse the men, kings and special men of ``W21,K22,31-40``; raises ``KeyError``."""
    men, items = texts.men, section[1:].split(",")
    try:
        return [men[item] for item in items], (), ()
    except KeyError:
        sides: tuple[list[int], list[int], list[int]] = ([], [], [])
        for item in items:
            first, dash, last = item.partition("-")
            side, number = texts.pieces[first]
            sides[side].extend(_range(first, last, texts) if dash else (number,))
        return sides


def _range(first: str, last: str, texts: _SquareTexts) -> Sequence[int]:
    """Parse a range of square numbers; raises ``KeyError``."""
    lowest, highest = texts.pieces[first][1], texts.men[last]
    if lowest > highest or not (last.isdigit() and first.lstrip("KMP").isdigit()):
        raise KeyError(last)
    return range(lowest, highest + 1)


def of(position: Position) -> str:
    """Return the FEN of a position, the same as ``write`` returns for its setup."""
    texts = _square_texts(position.variant)
    if texts.counts_runs and (position.black_king_run[1] or position.white_king_run[1]):
        return write(position.setup())
    return position.written(texts.written)


@cache
def _square_texts(variant: Variant) -> _SquareTexts:
    called, meant = names(variant), numbers(variant)
    kinds = [PieceKind.MAN, PieceKind.KING, *filter(None, [variant.rules.marked])]
    marks = [MARKS[kind] for kind in kinds]
    pieces = {
        mark + name: (side, number) for side, mark in enumerate(marks) for name, number in meant.items()
    }
    written = tuple([mark + name for name in ("", *called.values())] for mark in marks)
    return _SquareTexts(written, meant, pieces, bool(variant.rules.king_run))


# ----------------------------------------------------------------------- all forms, full parser
@dataclass(slots=True)
class _Reading:
    """The state of the FEN parser; ``at`` is the index of the next character."""

    text: str
    variant: Variant
    numbering: Numbering
    at: int = 0
    pieces: dict[int, Piece] = field(default_factory=dict)
    counts: str = ""  # of king runs
    counts_at: int = 0

    def setup(self) -> Setup:
        sections = self.text.rstrip(". \t\r\n").split(":")
        turn = self._turn(sections[0])
        for section in sections[1:]:
            self.at += 1
            self._section(section)
        if len(sections) == 1:
            raise self._error("':' and the pieces of a side")
        pieces = MappingProxyType(dict(sorted(self.pieces.items())))
        return Setup(self.variant, turn, pieces, self._runs())

    def _runs(self) -> Mapping[Colour, KingRun]:
        if not self.counts or not self.variant.rules.king_run:
            return {}
        try:
            return king_runs.read(self.counts, self.pieces, numbers(self.variant, self.numbering))
        except NotationError as error:
            self.at = self.counts_at
            raise self._error(error.expected) from error

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
        if king_runs.matches(body):
            self.counts, self.counts_at = body, self.at
        elif body and not _COUNTER.fullmatch(body):
            self.at = end - len(body)
            if body[0] not in _COLOURS:
                raise self._error("a side, 'W' or 'B'")
            self.at += 1
            if body[1:].strip():
                self._items(body[1:], _COLOURS[body[0]])
        self.at = end

    def _items(self, items: str, colour: Colour) -> None:
        for item in items.split(","):
            match = _ITEM.fullmatch(item)
            if match is None:
                raise self._error(f"a square such as {self._example()}")
            squares = self._squares(match["first"], match["last"])
            kind = self._kind(match["mark"])
            if kind is not None:
                for number in squares:
                    self._place(number, Piece(colour, kind))
            self.at += len(item) + 1

    def _place(self, number: int, piece: Piece) -> None:
        if number in self.pieces:
            called = names(self.variant, self.numbering)[number]
            raise self._error(f"each square once, found {called} again")
        self.pieces[number] = piece

    def _kind(self, mark: str) -> PieceKind | None:
        """Return the kind for a mark; None for a piece that has already been captured."""
        marked = self.variant.rules.marked
        if marked is not None and mark == MARKS[marked]:
            return marked
        if mark in _TAKEN:
            return None
        if mark == MARKS[PieceKind.MULE]:
            raise self._error("a man or a king, as there are no mules in this variant")
        return PieceKind.KING if mark else PieceKind.MAN

    def _squares(self, first: str, last: str | None) -> list[int]:
        if last is None:
            return [self._number(first)]
        if not first.isdigit() or int(last) < int(first):
            raise self._error("a range of ascending numbers such as '1-12'")
        return [self._number(str(number)) for number in range(self._bound(first), self._bound(last) + 1)]

    def _bound(self, number: str) -> int:
        self._number(number)
        return int(number)

    def _number(self, name: str) -> int:
        number = numbers(self.variant, self.numbering).get(name.lstrip("0"))
        if number is None:
            board = f"the board of {self.variant.name}"
            raise self._error(f"a square of {board} such as {self._example()}{self._too_large(name)}")
        return number

    def _too_large(self, name: str) -> str:
        """A hint at the variant, where the number of a square is that of a larger board; else empty."""
        if not (name.isdigit() and int(name) > self.variant.board.squares):
            return ""
        return f" ({int(name)} is too large; name the variant if the board is larger)"

    def _example(self) -> str:
        called = names(self.variant, self.numbering)
        return f"'{called[1]}' or 'K{called[len(called)]}'"

    def _error(self, expected: str) -> NotationError:
        return NotationError(expected, self.text, column=self.at + 1)
