"""The tags that tell a record's variant: ``GameType`` by the number of PDN 3.0, ``Variant`` by our key."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from crownhead.rules.errors import UnknownVariant
from crownhead.rules.schema import Colour, Corner, Variant
from crownhead.rules.variants import VARIANTS

_NUMBER = re.compile(r"\s*0*(\d{1,4})(?!\d)([\d\s,A-Z]{0,40})", re.ASCII)
_CORNERS = (Corner.BOTTOM_LEFT, Corner.BOTTOM_RIGHT, Corner.TOP_LEFT, Corner.TOP_RIGHT)  # PDN 3.0: 0 … 3


def variant_from_tags(tags: Mapping[str, str], default: Variant) -> Variant:
    """The variant by the tag ``Variant`` if that is a key or name of ours, else by ``GameType``.

    ``default`` where neither says anything, or where it is one of those that a GameType means. Raises
    ``UnknownVariant``.
    """
    key = tags.get("Variant", "").strip().lower()
    if key in _by_name():
        return _by_name()[key]
    text = tags.get("GameType", "")
    if _NUMBER.match(text) is None:
        if key:
            raise UnknownVariant(tags["Variant"], tuple(VARIANTS))
        return default
    rows = _rows(text)
    if not rows:
        raise UnknownVariant(f"GameType {text.strip()}", tuple(VARIANTS))
    return default if default in rows else rows[0]


def variant_of_type(text: str) -> Variant | None:
    """The variant that a GameType means by itself: of those that share it the plainest."""
    rows = _rows(text)
    return rows[0] if rows else None


def type_of(variant: Variant) -> str | None:
    """The GameType of a variant: the number alone if that will do, else in full; None if PDN has none."""
    number = variant.notation.game_type
    if number is None:
        return None
    full = _full(number, variant)
    return full if variant_of_type(str(number)) is not variant is variant_of_type(full) else str(number)


def variant_tags(variant: Variant, tags: Mapping[str, str]) -> dict[str, str]:
    """The tags that a record needs besides its own so that they tell its variant."""
    needed: dict[str, str] = {}
    text = tags.get("GameType") or type_of(variant)
    if text is not None and "GameType" not in tags:
        needed["GameType"] = text
    if text is None or variant_of_type(text) is not variant:
        needed["Variant"] = variant.key
    return needed


def _rows(text: str) -> tuple[Variant, ...]:
    """The rows that a GameType may mean, the plainest first.

    What follows the number parts rows that share it; where it fits none of them, as in old files, only the
    number counts.
    """
    found = _NUMBER.match(text)
    if found is None:
        return ()
    number, more = int(found[1]), re.sub(r"\s", "", found[2])
    called = [row.notation for row in VARIANTS.values()]
    numbered = [kind.game_type if kind.game_type == number else kind.private_game_type for kind in called]
    rows = tuple(row for row, own in zip(VARIANTS.values(), numbered, strict=True) if own == number)
    fitting = tuple(row for row in rows if f"{_full(number, row)},".startswith(f"{number}{more},"))
    return fitting or rows


def full_type(number: int, variant: Variant, letter: str, corner: Corner) -> str:
    """Number, first side, size, numbering, and whether the lower left corner is not played (PDN 3.0).

    ``letter``: A, N or S, how squares are called; ``corner``: where 1 or a1 lies as White sees it.
    """
    board, first = variant.board, variant.start.first
    seen = _CORNERS.index(corner)
    if first is Colour.BLACK:  # PDN counts corners as the side that begins sees them
        seen = 3 - seen
    inverted = int(not board.is_played(0, 0))
    return f"{number},{first.letter},{board.width},{board.height},{letter}{seen},{inverted}"


def opposite(corner: Corner) -> Corner:
    """The corner at the other end of the board, both ways."""
    return _CORNERS[3 - _CORNERS.index(corner)]


def _full(number: int, variant: Variant) -> str:
    notation = variant.notation
    if notation.algebraic:
        return full_type(number, variant, "A", notation.a1)
    return full_type(number, variant, "N", notation.first_square)


@cache
def _by_name() -> Mapping[str, Variant]:
    return {text.lower(): row for row in VARIANTS.values() for text in (row.name, row.key)}
