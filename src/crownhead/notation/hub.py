"""Positions as strings of the Hub protocol: the side to move, then every square in order.

``W`` or ``B``, then ``w`` and ``b`` for men, ``W`` and ``B`` for kings, ``e`` for an empty square.
Extensions to the protocol: mules ``M`` (White's) and ``m``, parachutists ``P`` and
``p``; and the king runs of Frisian draughts after the squares, as in FEN (``king_runs.py``).
Source: the Hub protocol, version 2 (as used by Scan 3.1), the argument of "pos".
"""

from __future__ import annotations

from types import MappingProxyType

from crownhead.notation import king_runs
from crownhead.notation.numberings import names, numbers
from crownhead.rules.errors import NotationError
from crownhead.rules.lookup import variant_of
from crownhead.rules.schema import Colour, PieceKind, Variant
from crownhead.rules.setup import Piece, Setup

_EMPTY = "e"
_PIECES = {
    "w": Piece(Colour.WHITE),
    "b": Piece(Colour.BLACK),
    "W": Piece(Colour.WHITE, PieceKind.KING),
    "B": Piece(Colour.BLACK, PieceKind.KING),
    "M": Piece(Colour.WHITE, PieceKind.MULE),
    "m": Piece(Colour.BLACK, PieceKind.MULE),
    "P": Piece(Colour.WHITE, PieceKind.PARACHUTIST),
    "p": Piece(Colour.BLACK, PieceKind.PARACHUTIST),
}
_LETTERS = {piece: letter for letter, piece in _PIECES.items()}


def read(text: str, variant: str | Variant = "international") -> Setup:
    """Parse a Hub string; raises ``NotationError`` and ``UnknownVariant``."""
    row = variant_of(variant)
    if not isinstance(text, str):
        raise NotationError(f"'W' or 'B' and {row.board.squares} letters", text)
    body, plus, counts = text.strip().partition("+")
    if len(body) != row.board.squares + 1 or body[0] not in "WB" or (plus and not row.rules.king_run):
        raise NotationError(f"'W' or 'B' and {row.board.squares} letters", text)
    known = [
        letter
        for letter, piece in _PIECES.items()
        if piece.kind in (PieceKind.MAN, PieceKind.KING, row.rules.marked)
    ]
    for column, letter in enumerate(body[1:], start=2):
        if letter != _EMPTY and letter not in known:
            expected = ", ".join(f"'{each}'" for each in known)
            raise NotationError(f"{expected} or '{_EMPTY}'", text, column=column)
    pieces = {number: _PIECES[letter] for number, letter in enumerate(body[1:], start=1) if letter != _EMPTY}
    runs = king_runs.read(plus + counts, pieces, numbers(row)) if plus else {}
    turn = Colour.WHITE if body[0] == "W" else Colour.BLACK
    return Setup(row, turn, MappingProxyType(pieces), runs)


def write(setup: Setup) -> str:
    """Return the Hub string of a setup."""
    row = setup.variant
    held = (setup.pieces.get(number) for number in range(1, row.board.squares + 1))
    letters = "".join(_EMPTY if piece is None else _LETTERS[piece] for piece in held)
    runs = king_runs.write(setup.king_runs, setup.pieces, names(row))
    return f"{setup.turn.letter}{letters}{runs}"
