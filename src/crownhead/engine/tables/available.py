"""The endgame tables that an engine uses by default."""

from __future__ import annotations

import warnings
from functools import lru_cache
from pathlib import Path

from crownhead.engine.tables.folders import SHIPPED, users_folder
from crownhead.engine.tables.probing import BadTable, Tables
from crownhead.rules.errors import CrownheadError
from crownhead.rules.schema import Variant


def available(variant: str | Variant) -> Tables | None:
    """A user's own tables of a variant, or those that come with the package if they have more pieces.

    They are opened once. None: there are none. A file that is no table gives a warning, and its folder is not
    used.
    """
    return _best(variant, users_folder())


@lru_cache(maxsize=64)
def _best(variant: str | Variant, own: Path) -> Tables | None:
    opened = [tables for folder in (own, SHIPPED) if (tables := _open(folder, variant)) is not None]
    best = max(opened, key=lambda tables: tables.most, default=None)
    return best if best is not None and best.most else None


def _open(folder: Path, variant: str | Variant) -> Tables | None:
    try:
        return Tables(folder, variant)
    except BadTable as error:
        warnings.warn(f"{error}; going on without the tables there", RuntimeWarning, stacklevel=2)
    except CrownheadError:
        pass  # the laws allow no tables
    return None
