"""A marker for texts to translate: the tools that collect them look for ``_``."""

from __future__ import annotations


def gettext_noop(text: str) -> str:
    """Return the text unchanged; it is translated where it is shown."""
    return text
