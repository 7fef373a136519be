"""Where endgame tables are: in the package, and in a folder of each user."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from crownhead._kernel import table_support
from crownhead.rules.errors import CrownheadError
from crownhead.rules.kernel import kernel_variant
from crownhead.rules.lookup import variant_of
from crownhead.rules.schema import Variant

SHIPPED = Path(__file__).parent / "shipped"
_VARIABLE = "CROWNHEAD_TABLES"


def users_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """The folder that ``CROWNHEAD_TABLES`` names, else one for the data of this user (XDG)."""
    named = environment.get(_VARIABLE, "")
    if named:
        return Path(named)
    data = environment.get("XDG_DATA_HOME", "")
    # By the standard a relative path is ignored.
    base = Path(data) if data.startswith("/") else Path.home() / ".local" / "share"
    return base / "crownhead" / "tables"


def allows_tables(variant: str | Variant) -> bool:
    """Whether the laws of a variant allow endgame tables; raises ``UnknownVariant``."""
    _, possible, _ = table_support(kernel_variant(variant_of(variant)))
    return bool(possible)


def folder_in(base: Path | str, variant: str | Variant) -> Path:
    """The folder of a variant's tables; variants with the same endgames share it.

    Raises ``UnknownVariant``, and ``CrownheadError`` where the laws allow no tables.
    """
    row = variant_of(variant)
    alike, possible, _ = table_support(kernel_variant(row))
    if not possible:
        raise CrownheadError(
            f"expected a variant with endgame tables, got {row.key}: every move there is a jump, and a "
            f"game is over long before few pieces are left"
        )
    return Path(base) / alike
