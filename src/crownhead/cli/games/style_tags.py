"""The tags for the variant and the numbering of a PDN record."""

from __future__ import annotations

from crownhead.notation.numberings import Numbering
from crownhead.notation.pdn import Style
from crownhead.notation.pdn.game_type import full_type, opposite, type_of, variant_tags
from crownhead.rules.schema import Variant


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
