"""Looking up variants by key, name or alias."""

from __future__ import annotations

import copyreg
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from types import MappingProxyType
from typing import Any

from crownhead.rules.aliases import ALIASES, normalised
from crownhead.rules.checking import check
from crownhead.rules.errors import UnknownVariant
from crownhead.rules.schema import Variant
from crownhead.rules.variants import STOCK, VARIANTS

AUTO = "auto"  # in place of a key: the variant is recognised in what is read


def variant_of(variant: str | Variant) -> Variant:
    """Return the variant for a key, name or alias, or a row itself once it has been checked.

    Raises ``UnknownVariant``, and ``BadVariant`` for a row that cannot be played.
    """
    if isinstance(variant, Variant):
        check(variant)
        return variant
    row = None
    if isinstance(variant, str):
        row = VARIANTS.get(variant) or find_variant(variant)
    if row is None:
        raise UnknownVariant(variant, tuple(VARIANTS))
    return row


def find_variant(text: str) -> Variant | None:
    """Return the variant with this key, name or alias, in any spelling; None if it is unknown."""
    name = normalised(text)
    house = (row for key, row in VARIANTS.items() if key not in STOCK and name in _names(row))
    return _stock_by_name().get(name) or next(house, None) or VARIANTS.get(ALIASES.get(name, ""))


@cache
def _stock_by_name() -> Mapping[str, Variant]:
    return MappingProxyType({name: row for row in STOCK.values() for name in _names(row)})


def _names(row: Variant) -> tuple[str, str]:
    return normalised(row.name), normalised(row.key)


def is_known(variant: Variant) -> bool:
    """Whether the key of a row leads to this very row; otherwise it names other rules, or none."""
    return VARIANTS.get(variant.key) == variant


def _reduced(row: Variant) -> tuple[Any, ...]:
    """Pickle the rows of the package by their keys, others with all their columns."""
    if STOCK.get(row.key) == row:
        return variant_of, (row.key,)
    return Variant, tuple(getattr(row, field.name) for field in fields(row))


copyreg.pickle(Variant, _reduced)
