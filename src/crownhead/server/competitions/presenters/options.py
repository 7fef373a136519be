"""What members read for the value of a format's option."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

_WORDS: Mapping[str, str] = MappingProxyType(
    {"lot": gettext_noop("at random")}
)  # where the key is no word for people


def option_word(key: str) -> str:
    """One of the values that an option may have, in words."""
    return _(_WORDS.get(key, key))
