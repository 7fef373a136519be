"""A short text for the rules of a row: equal for rows that play alike, and the same in every process.

Names and summaries do not count. Columns that have their default values do not either, so that a new column
in a later version leaves the rows as they were.
"""

from __future__ import annotations

import hashlib
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import lru_cache
from typing import Any

from crownhead.rules.schema import Variant

_LENGTH = 16  # characters


@lru_cache(maxsize=1024)
def fingerprint(row: Variant) -> str:
    """Return 16 hexadecimal digits for board, notation, start, rules, draw rules and opening of a row."""
    return hashlib.sha256(definition(row).encode()).hexdigest()[:_LENGTH]


def definition(row: Variant) -> str:
    """Return what the fingerprint is made of, readable."""
    draws = row.draws.rules
    return _text((row.board, row.notation, row.start, row.rules, draws, row.opening_plies))


def _text(value: Any) -> str:
    if isinstance(value, Enum):
        return str(value.value)
    if is_dataclass(value):
        changed = [
            f"{field.name}={_text(getattr(value, field.name))}"
            for field in fields(value)
            if field.default is MISSING or getattr(value, field.name) != field.default
        ]
        return f"{type(value).__name__}({' '.join(changed)})"
    if isinstance(value, frozenset):
        return f"({' '.join(_text(one) for one in sorted(value))})"
    if isinstance(value, tuple):
        return f"({' '.join(map(_text, value))})"
    return str(value)
