"""What squares are called in the numberings that sites and programs use besides a variant's own.

The row of the table says how a variant writes its squares: ``Numbering.NATIVE``. The functions that read and
write FEN, moves, diagrams and pictures take another one as ``numbering``; positions, moves and setups
themselves always hold the row's numbers. To convert is to read in one numbering and write in another:

>>> from crownhead import Position
>>> from crownhead.notation import fen, moves
>>> start = Position.start("american")
>>> move = moves.parse(start, "22-18", Numbering.MIRRORED)
>>> moves.write(start, move), moves.write(start, move, Numbering.ALGEBRAIC)
('11-15', 'c3-d4')
>>> fen.write(fen.read("B:W12,K5:B21", "american", Numbering.MIRRORED))
'B:W21,K28:B12'

Reading is as liberal everywhere: names are read where numbers are written, and the numbers of the row where
names are. Sources: YourTurnMyTurn counts from the first mover's upper left (captions of its games, n → 33 − n
in American checkers); lidraughts numbers Russian and Brazilian squares from b8, as the rows of the table do,
pydraughts from a1; playstrategy names American squares with a1 at the first mover's lower left.
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
    """How squares are called."""

    NATIVE = "native"  # as the variant writes them
    NUMERIC = "numeric"  # the row's numbers; of algebraic boards those of lidraughts, 1 = b8
    ALGEBRAIC = "algebraic"  # the row's names, also where it writes numbers
    MIRRORED = "mirrored"  # the row's numbers from the other end, as YourTurnMyTurn counts
    FROM_A1 = "from-a1"  # numbers along the ranks as the names run, 1 = a1, as pydraughts counts


@cache
def names(variant_key: str, numbering: Numbering = Numbering.NATIVE) -> Mapping[int, str]:
    """What each square, by the row's number, is called; raises ``UnknownVariant``."""
    variant = variant_of(variant_key)
    places = squares(variant.board, variant.notation)
    called = {square.number: _name(square, variant, numbering) for square in places.values()}
    return MappingProxyType(called)


@cache
def numbers(variant_key: str, numbering: Numbering = Numbering.NATIVE) -> Mapping[str, int]:
    """The row's numbers by what the squares are called, in lower case; raises ``UnknownVariant``.

    Algebraic names mean the same in every numbering; numbers, where names are written, the row's.
    """
    variant = variant_of(variant_key)
    counted = Numbering.NUMERIC if is_algebraic(variant, numbering) else numbering
    return MappingProxyType(
        {
            name: number
            for written in (Numbering.ALGEBRAIC, counted)
            for number, name in names(variant.key, written).items()
        }
    )


def is_algebraic(variant: Variant, numbering: Numbering) -> bool:
    """Whether squares are called by file and rank."""
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
    named = names(variant.key, Numbering.ALGEBRAIC)
    ordered = sorted(named, key=lambda number: (int(named[number][1:]), named[number][0]))
    return {number: counted for counted, number in enumerate(ordered, start=1)}
