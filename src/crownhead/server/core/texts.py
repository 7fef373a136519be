"""Which texts can be stored, and which characters XML can have."""

from __future__ import annotations

import re

_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def is_storable(text: str) -> bool:
    """Whether a database can store a text: no NUL, no unpaired surrogate."""
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


def for_xml(text: str) -> str:
    """A document without the characters that XML 1.0 forbids: a single one makes it unreadable."""
    return _NOT_IN_XML.sub("", text)
