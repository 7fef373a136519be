"""Looking up variants by key."""

from __future__ import annotations

from crownhead.rules.errors import UnknownVariant
from crownhead.rules.schema import Variant
from crownhead.rules.variants import VARIANTS


def variant_of(variant: str | Variant) -> Variant:
    """Return the variant for a key, or the variant itself; raises ``UnknownVariant``."""
    if isinstance(variant, Variant):
        return variant
    row = VARIANTS.get(variant) if isinstance(variant, str) else None
    if row is None:
        raise UnknownVariant(variant, tuple(VARIANTS))
    return row
