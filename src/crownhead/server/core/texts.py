"""Which texts can be stored."""

from __future__ import annotations


def is_storable(text: str) -> bool:
    """Whether a database can store a text: no NUL, no unpaired surrogate."""
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)
