"""The square numberings that sites and programs use besides a variant's own.

``Numbering.NATIVE`` is how the variant itself writes its squares. Functions that read and
write FEN, moves, diagrams and images accept other numberings as ``numbering``; positions, moves and setups
always use the variant's own numbers. To convert, read in one numbering and write in another:

>>> from crownhead import Position
>>> from crownhead.notation import fen, moves
>>> start = Position.start("american")
>>> move = moves.parse(start, "22-18", Numbering.MIRRORED)
>>> moves.write(start, move), moves.write(start, move, Numbering.ALGEBRAIC)
('11-15', 'c3-d4')
>>> fen.write(fen.read("B:W12,K5:B21", "american", Numbering.MIRRORED))
'B:W21,K28:B12'

When reading, names are always accepted in place of numbers, and the variant's own numbers in place of
names. Sources: YourTurnMyTurn counts from the first mover's upper left (captions of its games, n → 33 − n
in American checkers); lidraughts numbers Russian and Brazilian squares from b8, as the variant table does,
pydraughts from a1; PlayStrategy names American squares with a1 at the first mover's lower left.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from types import MappingProxyType

from crownhead.rules.geometry import Square, square_name, squares
from crownhead.rules.lookup import variant_of
from crownhead.rules.schema import Variant


class Numbering(StrEnum):
    """How squares are numbered or named."""

    NATIVE = "native"  # as in the variant
    NUMERIC = "numeric"  # the variant's numbers; on algebraic boards those of lidraughts, 1 = b8
    ALGEBRAIC = "algebraic"  # names, even where the variant uses numbers
    MIRRORED = "mirrored"  # numbers from the other end, as on YourTurnMyTurn
    FROM_A1 = "from-a1"  # numbers along the ranks, 1 = a1, as in pydraughts


@cache
def names(variant: str | Variant, numbering: Numbering = Numbering.NATIVE) -> Mapping[int, str]:
    """Return the name of each square by number; raises ``UnknownVariant``."""
    row = variant_of(variant)
    places = squares(row.board, row.notation)
    called = {square.number: _name(square, row, numbering) for square in places.values()}
    return MappingProxyType(called)


@cache
def numbers(variant: str | Variant, numbering: Numbering = Numbering.NATIVE) -> Mapping[str, int]:
    """Return the number of each square by name, in lower case; raises ``UnknownVariant``.

    Algebraic names are valid in every numbering; if squares are named, the variant's numbers are too.
    """
    row = variant_of(variant)
    counted = Numbering.NUMERIC if is_algebraic(row, numbering) else numbering
    return MappingProxyType(
        {
            name: number
            for written in (Numbering.ALGEBRAIC, counted)
            for number, name in names(row, written).items()
        }
    )


def is_algebraic(variant: Variant, numbering: Numbering) -> bool:
    """Whether squares are named by file and rank."""
    return numbering is Numbering.ALGEBRAIC or (numbering is Numbering.NATIVE and variant.notation.algebraic)


def _name(square: Square, variant: Variant, numbering: Numbering) -> str:
    board = variant.board
    match numbering:
        case Numbering.NATIVE:
            return square.name
        case Numbering.NUMERIC:
            return str(square.number)
        case Numbering.MIRRORED:
            return str(board.squares + 1 - square.number)
        case Numbering.FROM_A1:
            return str(_counted_from_a1(variant)[square.number])
        case Numbering.ALGEBRAIC:
            return square_name(square.file, square.rank, board, variant.notation)


@cache
def _counted_from_a1(variant: Variant) -> Mapping[int, int]:
    named = names(variant, Numbering.ALGEBRAIC)
    ordered = sorted(named, key=lambda number: (int(named[number][1:]), named[number][0]))
    return {number: counted for counted, number in enumerate(ordered, start=1)}
