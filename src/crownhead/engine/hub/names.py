"""The names of variants in the Hub protocol; those without a name there go by our keys."""

from __future__ import annotations

from crownhead.rules.aliases import HUB
from crownhead.rules.lookup import variant_of
from crownhead.rules.schema import Variant
from crownhead.rules.variants import VARIANTS

_NAMES = {key: name for name, key in HUB.items()}


def hub_name(variant: Variant) -> str:
    """What the protocol calls a variant."""
    return _NAMES.get(variant.key, variant.key)


def named(text: str) -> Variant:
    """The variant of a name in the protocol, or of any other name that we know; raises ``UnknownVariant``."""
    return variant_of(HUB.get(text, text))


def hub_names() -> list[str]:
    """The names of all variants, the protocol's own first."""
    return [*HUB, *(key for key in VARIANTS if key not in _NAMES)]
