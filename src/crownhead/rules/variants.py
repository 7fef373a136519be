"""THE table: every variant as data, a row each; the rows themselves stand in ``rows/``, family by family.

A variant made of known rules is one row there and one file ``suites/perft/<key>.perft``. How its pieces
move stands in ``rule_sets.py``, with the articles of the law; boards that are shared in ``boards.py``; the
draw rules in ``federations.py``.
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

VARIANTS: Mapping[str, Variant] = MappingProxyType({row.key: row for row in _ROWS})
