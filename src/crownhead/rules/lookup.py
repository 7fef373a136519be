"""Finding a row of the table by its key, with a clear refusal."""

from __future__ import annotations

from crownhead.rules.errors import UnknownVariant
from crownhead.rules.schema import Variant
from crownhead.rules.variants import VARIANTS


def variant_of(variant: str | Variant) -> Variant:
    """The row for a key, or the row itself; raises ``UnknownVariant``."""
    if isinstance(variant, Variant):
        return variant
    row = VARIANTS.get(variant) if isinstance(variant, str) else None
    if row is None:
        raise UnknownVariant(variant, tuple(VARIANTS))
    return row
