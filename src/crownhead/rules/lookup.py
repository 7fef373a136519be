"""Looking up variants by key, name or alias."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from crownhead.rules.aliases import ALIASES, normalised
from crownhead.rules.errors import UnknownVariant
from crownhead.rules.schema import Variant
from crownhead.rules.variants import VARIANTS

AUTO = "auto"  # in place of a key: the variant is recognised in what is read


def variant_of(variant: str | Variant) -> Variant:
    """Return the variant for a key, name or alias, or the variant itself; raises ``UnknownVariant``."""
    if isinstance(variant, Variant):
        return variant
    row = None
    if isinstance(variant, str):
        row = VARIANTS.get(variant) or find_variant(variant)
    if row is None:
        raise UnknownVariant(variant, tuple(VARIANTS))
    return row


def find_variant(text: str) -> Variant | None:
    """Return the variant with this key, name or alias, in any spelling; None if it is unknown."""
    return _by_name().get(normalised(text))


@cache
def _by_name() -> Mapping[str, Variant]:
    aliases = {name: VARIANTS[key] for name, key in ALIASES.items()}
    own = {normalised(text): row for row in VARIANTS.values() for text in (row.name, row.key)}
    return MappingProxyType(aliases | own)
