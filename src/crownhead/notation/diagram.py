"""The board drawn with characters: ``b`` and ``w``, kings ``bK``, mules ``bM``, empty squares ``.``."""

from __future__ import annotations

from crownhead.rules.geometry import Square, algebraic_name, squares
from crownhead.rules.position import Position
from crownhead.rules.schema import PieceKind
from crownhead.rules.setup import Piece

_MARKS = {PieceKind.MAN: "", PieceKind.KING: "K", PieceKind.MULE: "M"}
_CELL = 3  # characters a square takes


def text_diagram(position: Position) -> str:
    """The position with White at the bottom, ranks labelled as the variant names squares.

    Where squares are numbered, a rank is labelled by its first and last number from the left.
    """
    board, notation = position.variant.board, position.variant.notation
    ranks: dict[int, list[Square]] = {rank: [] for rank in range(board.height - 1, -1, -1)}
    for square in squares(board, notation).values():
        ranks[square.rank].append(square)
    lines = [
        f"{_label(rank, row, algebraic=notation.algebraic)}  {_cells(position, row)}".rstrip()
        for rank, row in ranks.items()
    ]
    if notation.algebraic:
        files = "".join(algebraic_name(file, 0)[0].ljust(_CELL) for file in range(board.width))
        lines.append(f"    {files}".rstrip())
    lines.append(f"{position.turn.value.capitalize()} to move")
    return "\n".join(lines)


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
