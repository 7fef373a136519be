"""Renumbering the squares of a PDN record, and the tags that describe the numbering."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from crownhead.notation import fen
from crownhead.notation.numberings import Numbering, names, numbers
from crownhead.notation.pdn import Style, Visitor
from crownhead.notation.pdn.game_type import full_type, opposite, type_of, variant_tags
from crownhead.notation.pdn.lexer import walk
from crownhead.rules.schema import Variant

_NUMBER = re.compile(r"(?<![a-wA-W0-9])\d+", re.ASCII)  # x is not a file but the capture sign


@dataclass(slots=True)
class _Places(Visitor):
    """Collects the places where a record names squares."""

    moves: list[tuple[str, int]] = field(default_factory=list)
    fens: list[tuple[str, int]] = field(default_factory=list)
    wants_variations = True

    def move(self, text: str, at: int) -> None:
        """Collect it."""
        self.moves.append((text, at))

    def tag(self, name: str, value: str, at: int) -> None:
        """Collect the FEN tag."""
        if name == "FEN" and value.strip():
            self.fens.append((value, at))

    def setup(self, fen: str, at: int) -> None:
        """Collect it."""
        self.fens.append((fen, at))


def renumbered(text: str, variant: Variant, numbering: Numbering) -> str:
    """Convert a record from ``numbering`` to the variant's own numbering.

    Raises ``NotationError`` if a position cannot be read.
    """
    changed, at = [], 0
    for old, new, begin in sorted(_changes(text, variant, numbering), key=lambda change: change[2]):
        start = text.index(old, begin)
        changed += [text[at:start], new]
        at = start + len(old)
    return "".join((*changed, text[at:]))


def _changes(text: str, variant: Variant, numbering: Numbering) -> Iterator[tuple[str, str, int]]:
    """Yield (old text, new text, index from which to search)."""
    meant, called = numbers(variant, numbering), names(variant)

    def own(match: re.Match[str]) -> str:
        number = meant.get(match[0].lstrip("0"))
        return match[0] if number is None else called[number]

    for places in walk(text, _Places):
        yield from ((move, _NUMBER.sub(own, move), at) for move, at in places.moves)
        for position, at in places.fens:
            yield position, fen.write(fen.read(position, variant, numbering)), at


def kind_tags(variant: Variant, style: Style) -> dict[str, str]:
    """Return the tags for the variant and the style of its squares (PDN 3.0, GameType)."""
    kind = type_of(variant) if style is Style.NATIVE else _full_type(variant, style)
    return (
        variant_tags(variant, {})
        if kind is None
        else {"GameType": kind, **variant_tags(variant, {"GameType": kind})}
    )


def _full_type(variant: Variant, style: Style) -> str | None:
    number, called = variant.notation.game_type, variant.notation
    if number is None or type_of(variant) is None:
        return None
    letter = "S" if style is Style.SHORT else "A" if style is Style.ALGEBRAIC else "N"
    if style.numbering in (Numbering.ALGEBRAIC, Numbering.FROM_A1):
        return full_type(number, variant, letter, called.a1)
    corner = opposite(called.first_square) if style is Style.MIRRORED else called.first_square
    return full_type(number, variant, letter, corner)
