"""THE table of variants, one row each; the rows are in ``rows/``, one module per family.

A variant made of known rules needs one row there and one file ``suites/perft/<key>.perft``. How its pieces
move is defined in ``rule_sets.py``, with the articles of the rules; shared boards are in ``boards.py``; draw
rules are in ``federations.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from crownhead.rules.rows.american import AMERICAN_FAMILY
from crownhead.rules.rows.every_square import EVERY_SQUARE
from crownhead.rules.rows.inventions import INVENTIONS
from crownhead.rules.rows.national import NATIONAL
from crownhead.rules.schema import Variant

_ROWS = (*AMERICAN_FAMILY, *NATIONAL, *INVENTIONS, *EVERY_SQUARE)

STOCK: Mapping[str, Variant] = MappingProxyType({row.key: row for row in _ROWS})
"""The variants that come with the package."""

_known = dict(STOCK)

VARIANTS: Mapping[str, Variant] = MappingProxyType(_known)
"""The variants that are known by their keys: those of the package, and those of ``house.register``."""


def add(row: Variant) -> None:
    """Make a row known by its key; for ``house.register``, which checks it first."""
    _known[row.key] = row
