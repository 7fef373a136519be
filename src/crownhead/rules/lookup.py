"""Looking up variants by key."""

from __future__ import annotations

import copyreg
from dataclasses import fields
from typing import Any

from crownhead.rules.checking import check
from crownhead.rules.errors import UnknownVariant
from crownhead.rules.schema import Variant
from crownhead.rules.variants import STOCK, VARIANTS


def variant_of(variant: str | Variant) -> Variant:
    """Return the variant for a key, or a row itself once it has been checked.

    Raises ``UnknownVariant``, and ``BadVariant`` for a row that cannot be played.
    """
    if isinstance(variant, Variant):
        check(variant)
        return variant
    row = VARIANTS.get(variant) if isinstance(variant, str) else None
    if row is None:
        raise UnknownVariant(variant, tuple(VARIANTS))
    return row


def is_known(variant: Variant) -> bool:
    """Whether the key of a row leads to this very row; otherwise it names other rules, or none."""
    return VARIANTS.get(variant.key) == variant


def _reduced(row: Variant) -> tuple[Any, ...]:
    """Pickle the rows of the package by their keys, others with all their columns."""
    if STOCK.get(row.key) == row:
        return variant_of, (row.key,)
    return Variant, tuple(getattr(row, field.name) for field in fields(row))


copyreg.pickle(Variant, _reduced)
