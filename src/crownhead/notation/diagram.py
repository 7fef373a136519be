"""The board drawn with characters, and back: ``b`` and ``w``, kings ``bK``, mules ``bM``, empty ``.``."""

from __future__ import annotations

import re
from types import MappingProxyType

from crownhead.rules.errors import NotationError
from crownhead.rules.geometry import Square, algebraic_name, squares
from crownhead.rules.lookup import variant_of
from crownhead.rules.position import Position
from crownhead.rules.schema import Board, Colour, Notation, PieceKind, Variant
from crownhead.rules.setup import Piece, Setup

_MARKS = {PieceKind.MAN: "", PieceKind.KING: "K", PieceKind.MULE: "M"}
_KINDS = {mark: kind for kind, mark in _MARKS.items()}
_RANK = re.compile(r"\s*\d{1,3}(?:\s*-\s*\d{1,3})?((?:\s+(?:\.|[bw][KM]?))+)\s*")
_TURN = re.compile(r"\s*(black|white) to move\s*", re.IGNORECASE)
LONGEST = 4000  # characters; a board of 12×12 needs 600
_CELL = 3  # characters a square takes


def text_diagram(position: Position) -> str:
    """The position with White at the bottom, ranks labelled as the variant names squares.

    Where squares are numbered, a rank is labelled by its first and last number from the left.
    """
    board, notation = position.variant.board, position.variant.notation
    lines = [
        f"{_label(rank, row, algebraic=notation.algebraic)}  {_cells(position, row)}".rstrip()
        for rank, row in _ranks(board, notation).items()
    ]
    if notation.algebraic:
        files = "".join(algebraic_name(file, 0)[0].ljust(_CELL) for file in range(board.width))
        lines.append(f"    {files}".rstrip())
    lines.append(f"{position.turn.value.capitalize()} to move")
    return "\n".join(lines)


def read(text: str, variant: str | Variant = "american") -> Setup:
    """The arrangement that a diagram shows, drawn as ``text_diagram`` does, blanks not counted.

    The side that begins is to move where nothing says otherwise. Raises ``NotationError`` and
    ``UnknownVariant``.
    """
    row_of_table = variant_of(variant)
    if not isinstance(text, str) or len(text) > LONGEST:
        raise NotationError(f"a diagram of at most {LONGEST} characters", text)
    ranks = _ranks(row_of_table.board, row_of_table.notation)
    drawn = [match[1].split() for line in text.splitlines() if (match := _RANK.fullmatch(line))]
    if [len(cells) for cells in drawn] != [len(row) for row in ranks.values()]:
        shape = f"{len(ranks)} ranks of {max(map(len, ranks.values()))} squares"
        raise NotationError(f"a diagram with {shape}, each behind its label", text)
    pieces = {
        square.number: Piece(Colour.BLACK if cell[0] == "b" else Colour.WHITE, _KINDS[cell[1:]])
        for row, cells in zip(ranks.values(), drawn, strict=True)
        for square, cell in zip(sorted(row, key=lambda square: square.file), cells, strict=True)
        if cell != "."
    }
    turns = [match[1].lower() for line in text.splitlines() if (match := _TURN.fullmatch(line))]
    turn = Colour(turns[-1]) if turns else row_of_table.start.first
    return Setup(row_of_table.key, turn, MappingProxyType(dict(sorted(pieces.items()))))


def _ranks(board: Board, notation: Notation) -> dict[int, list[Square]]:
    """The squares of each rank, from the top."""
    ranks: dict[int, list[Square]] = {rank: [] for rank in range(board.height - 1, -1, -1)}
    for square in squares(board, notation).values():
        ranks[square.rank].append(square)
    return ranks


def _label(rank: int, row: list[Square], *, algebraic: bool) -> str:
    if algebraic:
        return f"{rank + 1:>2}"
    ordered = sorted(row, key=lambda square: square.file)
    return f"{ordered[0].number:>2}-{ordered[-1].number:<2}"


def _cells(position: Position, row: list[Square]) -> str:
    cells = [" " * _CELL] * position.variant.board.width
    for square in row:
        cells[square.file] = _symbol(position.pieces.get(square.number)).ljust(_CELL)
    return "".join(cells)


def _symbol(piece: Piece | None) -> str:
    return "." if piece is None else piece.colour.letter.lower() + _MARKS[piece.kind]
