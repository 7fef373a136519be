"""Which characters a name or title can have: those that are seen."""

from __future__ import annotations

import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

_JOINERS = "\u200c\u200d"  # between characters they shape Persian words and emoji
# Letters by their category, but with nothing to see.
_BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})


def check_line(text: str) -> None:
    """Raise `ValidationError` for control characters, marks of direction and others that nobody sees.

    They break feeds and mails, and make one name look like another.
    """
    if any(_is_unseen(text, place) for place in range(len(text))):
        raise ValidationError(_("Use only characters that can be seen, in one line."), code="unseen")


def _is_unseen(text: str, place: int) -> bool:
    character = text[place]
    if character in _JOINERS:
        return not (_is_joined(text, place - 1) and _is_joined(text, place + 1))
    return character in _BLANKS or unicodedata.category(character) in _UNSEEN


def _is_joined(text: str, place: int) -> bool:
    """Whether there is something at a place that a joiner can join."""
    return 0 <= place < len(text) and text[place] not in _JOINERS and not text[place].isspace()
