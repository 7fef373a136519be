"""The tags for the variant of a record: ``GameType``, a number of PDN 3.0, and ``Variant``, our key."""

from __future__ import annotations

import re
from collections.abc import Mapping

from crownhead.rules.aliases import normalised
from crownhead.rules.errors import UnknownVariant
from crownhead.rules.fingerprint import fingerprint
from crownhead.rules.lookup import find_variant, is_known
from crownhead.rules.schema import Colour, Corner, Variant
from crownhead.rules.variants import VARIANTS

_NUMBER = re.compile(r"\s*0*(\d{1,4})(?!\d)([\d\s,A-Z]{0,40})", re.ASCII)
_CORNERS = (Corner.BOTTOM_LEFT, Corner.BOTTOM_RIGHT, Corner.TOP_LEFT, Corner.TOP_RIGHT)  # PDN 3.0: 0 … 3
_SIZE = re.compile(r"\d+x\d+ (?=.)")  # before a name, as in "10x10 International draughts"
_NO_VARIANT = ("", "from position", "fromposition", "custom", "unknown", "draughts", "game")


def variant_from_tags(tags: Mapping[str, str], default: Variant) -> Variant:
    """Return the variant that the tags name, see ``named_variants``.

    Returns ``default`` if they name none, or if it is one of several that they name. Raises
    ``UnknownVariant``.
    """
    name = tags.get("Variant", "").strip().lower()
    if name and name == name_in_tags(default).lower():
        return default
    rows = named_variants(tags)
    return default if not rows or default in rows else rows[0]


def named_variants(tags: Mapping[str, str]) -> tuple[Variant, ...]:
    """Return the variants that the tags ``Variant`` and ``GameType`` name, the most basic first; often none.

    ``Variant`` is a key, name or alias; ``GameType`` a number of PDN 3.0, or a name too. Where they
    disagree, an alias such as *Standard* yields to the number. Raises ``UnknownVariant``.
    """
    name, text = tags.get("Variant", "").strip(), tags.get("GameType", "").strip()
    row = _named(name)
    if row is not None and name.lower() in (row.key, row.name.lower()):
        return (row,)
    if _NUMBER.match(text) is None:
        row = row or _named(text)
        if row is None and normalised(name) not in _NO_VARIANT:
            raise UnknownVariant(name, tuple(VARIANTS))
        return () if row is None else (row,)
    rows = _rows(text)
    if not rows:
        row = row or _named(text)
    if row is not None and (row in rows or not rows):
        return (row,)
    if not rows:
        raise UnknownVariant(f"GameType {text}", tuple(VARIANTS))
    return rows


def _named(text: str) -> Variant | None:
    name = _SIZE.sub("", normalised(text))
    return None if name in _NO_VARIANT else find_variant(name)


def variant_of_type(text: str) -> Variant | None:
    """Return the variant for a GameType; of several, the most basic one."""
    rows = _rows(text)
    return rows[0] if rows else None


def type_of(variant: Variant) -> str | None:
    """Return the GameType of a variant: only the number if that is unambiguous; None if PDN has none."""
    number = variant.notation.game_type
    if number is None or not is_known(variant):
        return None
    full = _full(number, variant)
    if variant_of_type(str(number)) != variant == variant_of_type(full):
        return full
    return str(number)


def variant_tags(variant: Variant, tags: Mapping[str, str]) -> dict[str, str]:
    """Return the tags that a record needs, besides its own, to identify its variant."""
    needed: dict[str, str] = {}
    text = tags.get("GameType") or type_of(variant)
    if text is not None and "GameType" not in tags:
        needed["GameType"] = text
    if text is None or variant_of_type(text) != variant:
        needed["Variant"] = name_in_tags(variant)
    return needed


def name_in_tags(variant: Variant) -> str:
    """Return what the tag ``Variant`` says: the key, and the rules where the key belongs to other ones."""
    is_taken = variant.key in VARIANTS and not is_known(variant)
    return f"{variant.key} with rules {fingerprint(variant)}" if is_taken else variant.key


def _rows(text: str) -> tuple[Variant, ...]:
    """Return the variants for a GameType, most basic first.

    The details after the number distinguish variants that share it; if they match none, as in old files, only
    the number counts.
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
    """Return the full GameType: number, first side, size, numbering, and inversion (PDN 3.0).

    ``letter``: A, N or S, the kind of notation; ``corner``: the corner of square 1 or a1 as White sees it.
    """
    board, first = variant.board, variant.start.first
    seen = _CORNERS.index(corner)
    if first is Colour.BLACK:  # PDN counts corners from the side that begins
        seen = 3 - seen
    inverted = int(not board.is_played(0, 0))
    return f"{number},{first.letter},{board.width},{board.height},{letter}{seen},{inverted}"


def opposite(corner: Corner) -> Corner:
    """Return the diagonally opposite corner."""
    return _CORNERS[3 - _CORNERS.index(corner)]


def _full(number: int, variant: Variant) -> str:
    notation = variant.notation
    if notation.algebraic:
        return full_type(number, variant, "A", notation.a1)
    return full_type(number, variant, "N", notation.first_square)
