"""Positions as engines of the Hub protocol exchange them: the side to move, then every square in order.

``W`` or ``B``, then ``w`` and ``b`` for men, ``W`` and ``B`` for kings, ``e`` for an empty square.
Source: the Hub protocol, version 2 (as used by Scan 3.1), the argument of "pos".
"""

from __future__ import annotations

from types import MappingProxyType

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
}
_LETTERS = {piece: letter for letter, piece in _PIECES.items()}


def read(text: str, variant: str | Variant = "international") -> Setup:
    """The arrangement of a string; raises ``NotationError`` and ``UnknownVariant``."""
    row = variant_of(variant)
    body = text.strip() if isinstance(text, str) else ""
    if len(body) != row.board.squares + 1 or body[0] not in "WB":
        raise NotationError(f"'W' or 'B' and {row.board.squares} letters", text)
    for column, letter in enumerate(body[1:], start=2):
        if letter != _EMPTY and letter not in _PIECES:
            raise NotationError("'w', 'b', 'W', 'B' or 'e'", text, column=column)
    pieces = {number: _PIECES[letter] for number, letter in enumerate(body[1:], start=1) if letter != _EMPTY}
    return Setup(row.key, Colour.WHITE if body[0] == "W" else Colour.BLACK, MappingProxyType(pieces))


def write(setup: Setup) -> str:
    """The string of an arrangement; raises ``NotationError`` for mules, which it cannot tell."""
    count = variant_of(setup.variant_key).board.squares
    strangers = set(setup.pieces.values()) - _LETTERS.keys()
    if strangers:
        raise NotationError("men and kings", ", ".join(piece.kind.value for piece in strangers))
    held = (setup.pieces.get(number) for number in range(1, count + 1))
    return setup.turn.letter + "".join(_EMPTY if piece is None else _LETTERS[piece] for piece in held)
