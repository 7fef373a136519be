"""The names of variants in the Hub protocol.

Source: the protocol's text, version 2 (Scan 3.1), the parameter "variant". Variants without a name there go
by our keys, with which other programs agree for ``brazilian``, ``russian`` and their like.
"""

from __future__ import annotations

from types import MappingProxyType

from crownhead.rules.lookup import variant_of
from crownhead.rules.schema import Variant
from crownhead.rules.variants import VARIANTS

_OFFICIAL = MappingProxyType(
    {
        "normal": "international",
        "killer": "killer",
        "bt": "breakthrough",
        "frisian": "frisian",
        "losing": "antidraughts",
    }
)
_NAMES = MappingProxyType({key: name for name, key in _OFFICIAL.items()})


def hub_name(variant: Variant) -> str:
    """What the protocol calls a variant."""
    return _NAMES.get(variant.key, variant.key)


def named(text: str) -> Variant:
    """The variant of a name in the protocol, or of any other name that we know; raises ``UnknownVariant``."""
    return variant_of(_OFFICIAL.get(text, text))


def hub_names() -> list[str]:
    """The names of all variants, the protocol's own first."""
    return [*_OFFICIAL, *(key for key in VARIANTS if key not in _NAMES)]
