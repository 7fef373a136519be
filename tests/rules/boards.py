"""Boards drawn as text, and moves written so that a test can be read."""

from __future__ import annotations

from crownhead import VARIANTS, Colour, Move, Piece, PieceKind, Position, Setup
from crownhead.rules.geometry import squares
from crownhead.rules.schema import Variant

_PIECES = {
    "b": Piece(Colour.BLACK, PieceKind.MAN),
    "B": Piece(Colour.BLACK, PieceKind.KING),
    "m": Piece(Colour.BLACK, PieceKind.MULE),
    "p": Piece(Colour.BLACK, PieceKind.PARACHUTIST),
    "w": Piece(Colour.WHITE, PieceKind.MAN),
    "W": Piece(Colour.WHITE, PieceKind.KING),
    "M": Piece(Colour.WHITE, PieceKind.MULE),
    "P": Piece(Colour.WHITE, PieceKind.PARACHUTIST),
}


def drawn(drawing: str, *, to_move: str, variant: str = "american") -> Position:
    """The position of a board drawn with White below.

    ``w W M P``: a white man, king, mule, parachutist; ``b B m p``: a black one.
    """
    row = VARIANTS[variant]
    rows = [line.replace(" ", "") for line in drawing.strip().splitlines()]
    assert [len(line) for line in rows] == [row.board.width] * row.board.height
    ranks = enumerate(reversed(rows))
    cells = {(file, rank): letter for rank, line in ranks for file, letter in enumerate(line)}
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


def named_moves(position: Position) -> set[str]:
    """All legal moves, written with the names of the squares: ``c3xc5xe5``."""
    return {_by_names(move, position.variant) for move in position.legal_moves()}


def move_named(position: Position, text: str) -> Move:
    """The legal move that is ``written`` so."""
    return {written(move): move for move in position.legal_moves()}[text]


def play_named(position: Position, *texts: str) -> Position:
    """The position after moves that are written with the names of the squares."""
    for text in texts:
        named = {_by_names(move, position.variant): move for move in position.legal_moves()}
        position = position.play(named[text])
    return position


def _by_names(move: Move, variant: Variant) -> str:
    names = [squares(variant.board, variant.notation)[number].name for number in move.path]
    return ("x" if move.captures else "-").join(names) + ("=K" if move.crowns else "")
