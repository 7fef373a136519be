"""Texts: which are accepted, which characters XML can have, and columns for names and titles."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from crownhead.server.core.problems import Unprocessable

_LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_CONTROLS = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def is_storable(text: str) -> bool:
    """Whether a database can store a text: no NUL, no unpaired surrogate."""
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


def without_controls(text: str) -> str:
    """The stripped text without what controls a reader's screen: escapes, and turns of the direction.

    A text in which nobody sees anything is empty.
    """
    stripped = _CONTROLS.sub("", _LINE_ENDS.sub("\n", text)).strip()
    return stripped if stripped.isascii() or any(map(_can_be_seen, stripped)) else ""


def is_as_before(text: str, before: str) -> bool:
    """Whether a text says nothing, or what stood there before, however its lines end."""
    return without_controls(text) in {"", without_controls(before)}


def checked_reason(reason: str, *, longest: int) -> str:
    """The stripped reason for a decision; raises `Unprocessable` if it is empty or too long."""
    stripped = without_controls(reason)
    if not 1 <= len(stripped) <= longest:
        raise Unprocessable(
            _("Give a reason of at most %(longest)s characters.") % {"longest": longest}, field="reason"
        )
    return stripped


def expect_one_of(field: str, given: str, choices: Collection[str]) -> None:
    """Raise `Unprocessable` for a value of a field that is none of those possible."""
    if given not in choices:
        raise Unprocessable(choose_one_of(choices, given), field=field)


def choose_one_of(choices: Iterable[str], given: str) -> str:
    """The sentence about a value that is none of those possible."""
    facts = {"choices": ", ".join(choices), "given": repr(given[:60])}
    return _("Choose one of %(choices)s, not %(given)s.") % facts


def for_xml(text: str) -> str:
    """A document without the characters that XML 1.0 forbids: a single one makes it unreadable."""
    return _NOT_IN_XML.sub("", text)


_JOINERS = "\u200c\u200d"  # between characters they shape Persian words and emoji
# Letters and signs by their category, but with nothing to see.
_BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0\ufffc\U00013441\U00013442\U0001d159")
# Marks that change nothing one sees, where there is no emoji or ideograph for them to change.
_MARKS = frozenset("\u034f\u17b4\u17b5")
_SELECTORS = frozenset((*map(chr, range(0xFE00, 0xFE10)), *map(chr, range(0xE0100, 0xE01F0))))
_SELECTORS_OF_LETTERS = frozenset("\u180b\u180c\u180d\u180f\U00016fe4")  # Mongolian and Khitan
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
# Code points of no character that draw nothing; others may be letters of a Unicode that is newer than ours.
_OF_NOTHING = re.compile(
    "[\u2065\ufdd0-\ufdef\ufff0-\ufff8\U000e0000-\U000e0fff"
    + "".join(chr(plane + last) for plane in range(0, 0x110000, 0x10000) for last in (0xFFFE, 0xFFFF))
    + "]"
)
_COMBINING = frozenset({"Mn", "Me"})
_OVERLAY, _ACCENTS_FROM = 1, 200  # classes of marks that pile up; between them are vowels of many scripts
_MOST_ACCENTS = 3  # on one letter; more cover the lines around
_MOST_MARKS = 8  # of all kinds, as many as a Tibetan syllable has

_FAULTS = {
    "unseen": _("Use only visible characters, on one line."),
    "marks": _("Use at most three accents on a letter."),
}


def check_line(text: str) -> None:
    """Raise `ValidationError` for control characters, marks of direction and others that nobody sees.

    They break feeds and mails, and make one name look like another.
    """
    for _place, fault in _faults(text):
        raise ValidationError(_FAULTS[fault], code=fault)


def mended_line(text: str) -> str:
    """The text without what `check_line` refuses; as it is, if there is nothing else in it."""
    mended = text
    while faults := {place for place, _fault in _faults(mended)}:
        mended = "".join(character for place, character in enumerate(mended) if place not in faults)
    return mended if mended.strip() else text


def _faults(text: str) -> Iterator[tuple[int, str]]:
    """The places in a text of what a line may not have, each with the fault."""
    if text.isascii() and text.isprintable():
        return
    marks, accents = "", 0
    for place, character in enumerate(text):
        if _is_unseen(text, place):
            yield place, "unseen"
        elif character in _JOINERS:
            continue
        elif unicodedata.category(character) not in _COMBINING:
            marks, accents = "", 0
        else:
            accents += _piles_up(character) or character in marks
            marks += character
            if accents > _MOST_ACCENTS or len(marks) > _MOST_MARKS:
                yield place, "marks"


def _piles_up(mark: str) -> bool:
    """Whether a mark lies over, under or on those before it, as accents do."""
    kind = unicodedata.combining(mark)
    return kind == _OVERLAY or kind >= _ACCENTS_FROM or unicodedata.category(mark) == "Me"


def _can_be_seen(character: str) -> bool:
    """Whether a character draws anything by itself."""
    if character.isspace() or character in _JOINERS:
        return False
    if character in _SELECTORS or character in _SELECTORS_OF_LETTERS:
        return False
    return not _draws_nothing(character)


def _draws_nothing(character: str) -> bool:
    if character in _BLANKS or character in _MARKS or unicodedata.category(character) in _UNSEEN:
        return True
    return _OF_NOTHING.match(character) is not None


def _is_unseen(text: str, place: int) -> bool:
    character = text[place]
    if character in _JOINERS:
        return not (_is_joined(text, place - 1) and _is_joined(text, place + 1))
    if character in _SELECTORS:
        return place == 0 or unicodedata.category(text[place - 1]) not in {"So", "Sm", "Po", "Nd", "Lo"}
    if character in _SELECTORS_OF_LETTERS:
        return place == 0 or unicodedata.category(text[place - 1]) != "Lo"
    return _draws_nothing(character)


def _is_joined(text: str, place: int) -> bool:
    """Whether there is something at a place that a joiner can join: ASCII never is."""
    return 0 <= place < len(text) and text[place] not in _JOINERS and not text[place].isascii()


class FoldedField(models.CharField):  # type: ignore[type-arg] # no class takes arguments at run time
    """A text that is compared and ordered by its bytes on every database, so that an index finds prefixes.

    PostgreSQL would order it as the language of its cluster does, by an index of no use for prefixes.
    """

    def db_parameters(self, connection: Any) -> Any:
        """The column of the database."""
        found = super().db_parameters(connection)
        return found | {"collation": "C"} if connection.vendor == "postgresql" else found


if TYPE_CHECKING:
    _Text = models.CharField[str, str]
else:
    _Text = models.CharField


class LineField(_Text):
    """A name or title that people type: one line of characters that can be seen.

    Saving anything else raises ``Unprocessable``, whichever way it came. What a row has had before stays.

    ``copied``: a column that nobody types in, into which such texts are copied from other rows, which may be
    older than the rules of today. It never raises, for nobody there could mend the text; instead, what is
    refused elsewhere is left out.
    """

    default_validators = [check_line]

    def __init__(self, *args: Any, copied: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.copied = copied
        if copied:
            self.default_validators = []

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        """Check the text before it is stored, or mend it."""
        text = super().pre_save(model_instance, add)
        if self.copied:
            mended = mended_line(text or "")
            setattr(model_instance, self.attname, mended)
            return mended
        try:
            check_line(text or "")
        except ValidationError as error:
            rows = type(model_instance)._default_manager.filter(  # noqa: SLF001 - Django's own name
                pk=model_instance.pk, **{self.attname: text}
            )
            if add or not rows.exists():
                raise Unprocessable(error.messages[0], field=self.name) from error
        return text

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        """For migrations it is a column of text."""
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs
