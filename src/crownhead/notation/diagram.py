"""Writing and reading text diagrams.

``b`` and ``w`` are men, ``bK`` kings, ``bM`` mules, ``bP`` parachutists, ``.`` an empty square. White is at
the bottom; the last line gives the side to move and, where it matters, king runs (``king_runs.py``).
"""

from __future__ import annotations

import re
from functools import cache
from operator import itemgetter
from types import MappingProxyType
from typing import Any, NamedTuple

from crownhead.notation import king_runs
from crownhead.notation.fen import MARKS
from crownhead.notation.numberings import Numbering, is_algebraic, names, numbers
from crownhead.rules.errors import NotationError
from crownhead.rules.geometry import squares
from crownhead.rules.lookup import variant_of
from crownhead.rules.position import Position
from crownhead.rules.schema import Colour, PieceKind, Variant
from crownhead.rules.setup import Piece, Setup

LONGEST = 4000  # characters; a board of 12×12 needs 600

_EMPTY = "."
_SYMBOLS = {
    Piece(colour, kind): colour.letter.lower() + mark for colour in Colour for kind, mark in MARKS.items()
}
_KINDS = {mark: kind for kind, mark in MARKS.items()}
_RANK = re.compile(r"\s*\d{1,3}(?:\s*-\s*\d{1,3})?((?:\s+(?:\.|[bw][KMP]?))+)\s*", re.ASCII)
_TURN = re.compile(r"\s*(black|white) to move(?:, king steps (\S+))?\s*", re.IGNORECASE)
_CELL = 3  # characters per square


class _Layout(NamedTuple):
    """A template of the drawing, and the square numbers in the order of its places."""

    drawing: str
    order: itemgetter[Any]


def text_diagram(position: Position, numbering: Numbering = Numbering.NATIVE) -> str:
    """Return the position as text with White at the bottom, with ranks labelled in ``numbering``.

    Numbered ranks are labelled with their first and last number from the left.
    """
    layout = _layout(position.variant, numbering)
    cells = [_EMPTY] * (position.variant.board.squares + 1)
    for number, piece in position.pieces.items():
        cells[number] = _SYMBOLS[piece]
    turn = "Black" if position.black_to_move else "White"
    runs = position.king_runs
    steps = king_runs.write(runs, position.pieces, names(position.variant, numbering)) if runs else ""
    return f"{layout.drawing % layout.order(cells)}{turn} to move{', king steps ' if steps else ''}{steps}"


def read(text: str, variant: str | Variant = "american", numbering: Numbering = Numbering.NATIVE) -> Setup:
    """Parse a diagram in the format of ``text_diagram``; the amount of white space does not matter.

    Without a line for the side to move, it is the side that begins. Raises ``NotationError`` and
    ``UnknownVariant``.
    """
    row = variant_of(variant)
    if not isinstance(text, str) or len(text) > LONGEST:
        raise NotationError(f"a diagram of at most {LONGEST} characters", text)
    ranks = _ranks(row)
    drawn = [match[1].split() for line in text.splitlines() if (match := _RANK.fullmatch(line))]
    if [len(cells) for cells in drawn] != [len(rank) for rank in ranks]:
        shape = f"{len(ranks)} ranks of {max(map(len, ranks))} squares"
        raise NotationError(f"a diagram with {shape}, each after its label", text)
    pieces = {
        number: Piece(Colour.BLACK if cell[0] == "b" else Colour.WHITE, _kind(cell[1:], row, text))
        for rank, cells in zip(ranks, drawn, strict=True)
        for number, cell in zip(rank, cells, strict=True)
        if cell != _EMPTY
    }
    turn, steps = row.start.first, ""
    for match in filter(None, map(_TURN.fullmatch, text.splitlines())):
        turn, steps = Colour(match[1].lower()), match[2] or ""
    counted = bool(steps and row.rules.king_run)
    runs = king_runs.read(steps, pieces, numbers(row, numbering)) if counted else {}
    return Setup(row, turn, MappingProxyType(dict(sorted(pieces.items()))), runs)


def _kind(mark: str, variant: Variant, text: str) -> PieceKind:
    kind = _KINDS[mark]
    if kind not in (PieceKind.MAN, PieceKind.KING, variant.rules.marked):
        raise NotationError(f"pieces of {variant.name}, which has no {kind.value}s", text)
    return kind


def _ranks(variant: Variant) -> list[list[int]]:
    """Return the squares of each rank, from top to bottom and left to right."""
    places = squares(variant.board, variant.notation).values()
    ordered = sorted(places, key=lambda square: (-square.rank, square.file))
    return [
        [square.number for square in ordered if square.rank == rank]
        for rank in range(variant.board.height - 1, -1, -1)
    ]


@cache
def _layout(variant: Variant, numbering: Numbering) -> _Layout:
    called, places = names(variant, numbering), squares(variant.board, variant.notation)
    ranks = _ranks(variant)
    lines = []
    for rank in ranks:
        ends = [called[rank[0]], called[rank[-1]]]
        label = f"{ends[0][1:]:>2}" if is_algebraic(variant, numbering) else f"{ends[0]:>2}-{ends[1]:<2}"
        files = [places[number].file for number in rank]
        gaps = (after - file for file, after in zip(files, [*files[1:], files[-1]], strict=True))
        cells = "".join(f"%-{gap * _CELL}s" if gap else "%s" for gap in gaps)
        lines.append(f"{label}  {' ' * files[0] * _CELL}{cells}\n")
    if is_algebraic(variant, numbering):
        files_named = {places[number].file: name[0] for number, name in called.items()}
        letters = "".join(files_named[file].ljust(_CELL) for file in range(variant.board.width))
        lines.append(f"    {letters.rstrip()}\n")
    return _Layout("".join(lines), itemgetter(*(number for rank in ranks for number in rank)))
