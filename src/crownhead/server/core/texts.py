"""What a text must be to be kept."""

from __future__ import annotations


def is_storable(text: str) -> bool:
    """Whether a text can be kept: no NUL, no half of a surrogate pair."""
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)
