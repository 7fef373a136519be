"""Arrangements as FEN in plain square numbers, the form in which the suites keep them."""

from __future__ import annotations

from collections.abc import Iterator

from crownhead.rules.schema import Colour, PieceKind, Variant
from tests.reference.board import Arrangement, arrange, number_of

_COLOURS = {"B": Colour.BLACK, "W": Colour.WHITE}
_KINDS = {"K": PieceKind.KING, "M": PieceKind.MULE, "P": PieceKind.PARACHUTIST}
_LETTERS = {kind: letter for letter, kind in _KINDS.items()}


def from_fen(variant: Variant, fen: str) -> Arrangement:
    """The arrangement of a well-formed FEN; ``9-12`` stands for four men."""
    turn, *sides = fen.rstrip(".").split(":")
    pieces: dict[int, tuple[Colour, PieceKind]] = {}
    for side in sides:
        for token in filter(None, side[1:].split(",")):
            kind = _KINDS.get(token[0], PieceKind.MAN)
            for number in _range(token.lstrip("KMP")):
                pieces[number] = (_COLOURS[side[0]], kind)
    return arrange(variant, _COLOURS[turn], pieces)


def to_fen(arrangement: Arrangement) -> str:
    """The FEN without ranges; runs of kings are not told."""
    sides = (letter + ",".join(_tokens(arrangement, colour)) for letter, colour in reversed(_COLOURS.items()))
    return f"{arrangement.turn.letter}:{':'.join(sides)}"


def _range(text: str) -> range:
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def _tokens(arrangement: Arrangement, colour: Colour) -> Iterator[str]:
    numbered = sorted((number_of(arrangement.variant, cell), piece) for cell, piece in arrangement.of(colour))
    return (f"{_LETTERS.get(piece.kind, '')}{number}" for number, piece in numbered)
