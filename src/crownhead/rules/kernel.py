"""Stand-in until the kernel takes rows."""

from __future__ import annotations

from typing import Any

from crownhead.rules.errors import CrownheadError
from crownhead.rules.schema import Variant
from crownhead.rules.variants import STOCK


def kernel_variant(row: Variant) -> Any:
    if STOCK.get(row.key) != row:
        raise CrownheadError(f"expected a stock row, got {row.key}")
    return row.key


def row_of(position: Any) -> Variant:
    return STOCK[position.variant_key]
