"""Which names a team may have, and which of them look alike."""

from __future__ import annotations

import re
import unicodedata

from django.utils.translation import gettext as _

from crownhead.server.accounts.validators import AS_DRAWN
from crownhead.server.accounts.validators import likeness as likeness_of_letters
from crownhead.server.core.problems import Unprocessable
from crownhead.server.teams.models import LONGEST_NAME

SHORTEST = 3

# How Unicode's names of letters begin that are written in one word with Latin ones.
_BESIDE_LATIN = ("LATIN", "MODIFIER", "CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO")
_WORDS = re.compile(r"\w+")
_UNSEEN = r"[^\w]|[\u02b0-\u02ff\ua78b\ua78c\ua78f]"  # such as apostrophes, also those that count as letters
_NAME = re.compile(r"[^\W_](?:[\w .,'&()+-]*[\w.)!+])?")


def checked_name(name: str) -> str:
    """The name with single spaces; raises ``Unprocessable`` if a team may not have it.

    A word of our letters has none of other alphabets, but for those that are known to look like ours.
    """
    cleaned = " ".join(name.split())
    if not SHORTEST <= len(cleaned) <= LONGEST_NAME or not _NAME.fullmatch(cleaned):
        raise Unprocessable(
            _(
                "Use %(shortest)s to %(longest_name)s letters, digits and spaces, "
                "starting with a letter or digit."
            )
            % {"shortest": SHORTEST, "longest_name": LONGEST_NAME},
            field="name",
        )
    if any(map(_mixes_alphabets, _WORDS.findall(cleaned))):
        raise Unprocessable(_("Write each word in the letters of one alphabet."), field="name")
    return cleaned


def _mixes_alphabets(word: str) -> bool:
    """Whether letters of an alphabet that is not written beside Latin letters are among those."""
    plain = unicodedata.normalize("NFKC", word)
    if not any(unicodedata.name(letter, "").startswith("LATIN") for letter in plain):
        return False
    drawn = plain.translate(AS_DRAWN)
    return not all(
        unicodedata.name(letter, "").startswith(_BESIDE_LATIN) for letter in drawn if letter.isalpha()
    )


def likeness(name: str) -> str:
    """The text that all names which look alike at a glance have in common; folding may lengthen a name.

    Letters of other styles and widths are the same letters; those of other alphabets, what they look like.
    """
    plain = unicodedata.normalize("NFKC", name)
    letters = re.sub(_UNSEEN, "", plain).translate(AS_DRAWN).casefold().translate(AS_DRAWN)
    return (likeness_of_letters(letters) or plain.casefold())[:LONGEST_NAME]
