"""Boards drawn as text, and moves written so that a test can be read."""

from __future__ import annotations

from crownhead import Colour, Move, Piece, PieceKind, Position, Setup, variant_of
from crownhead.rules.geometry import squares

_PIECES = {
    "b": Piece(Colour.BLACK, PieceKind.MAN),
    "B": Piece(Colour.BLACK, PieceKind.KING),
    "m": Piece(Colour.BLACK, PieceKind.MULE),
    "w": Piece(Colour.WHITE, PieceKind.MAN),
    "W": Piece(Colour.WHITE, PieceKind.KING),
    "M": Piece(Colour.WHITE, PieceKind.MULE),
}


def drawn(drawing: str, *, to_move: str, variant: str = "american") -> Position:
    """The position of a board drawn with White below: ``w W M`` white man, king, mule, ``b B m`` black."""
    row = variant_of(variant)
    rows = [line.replace(" ", "") for line in drawing.strip().splitlines()]
    assert [len(line) for line in rows] == [row.board.width] * row.board.height
    cells = {(file, row.board.height - 1 - down): c for down, r in enumerate(rows) for file, c in enumerate(r)}
    pieces = {
        number: _PIECES[cells.pop((square.file, square.rank))]
        for number, square in squares(row.board, row.notation).items()
        if cells[square.file, square.rank] != "."
    }
    assert set(cells.values()) <= {"."}, "a piece is drawn on a square that is not played on"
    return Position.from_setup(Setup(row.key, Colour(to_move), pieces))


def written(move: Move) -> str:
    """The move with its whole path: ``22-18``, ``22x15x8``; ``=K`` where it crowns."""
    return ("x" if move.captures else "-").join(map(str, move.path)) + ("=K" if move.crowns else "")


def moves(position: Position) -> set[str]:
    """All legal moves, written with their paths."""
    legal = position.legal_moves()
    assert len({written(move) for move in legal}) == len(legal)
    return {written(move) for move in legal}


def move_named(position: Position, text: str) -> Move:
    """The legal move that is ``written`` so."""
    return {written(move): move for move in position.legal_moves()}[text]
