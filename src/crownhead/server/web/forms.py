"""Fields of forms: whole numbers, and how much of what was sent a refused form shows again."""

from __future__ import annotations

from collections.abc import Mapping

from django.forms import Field
from django.utils.translation import gettext as _


def whole_number(
    filled: Mapping[str, str], errors: dict[str, str], name: str, *, least: int, most: int
) -> int:
    """The number in a field, within bounds; else ``least``, with an error."""
    text = filled[name].strip()
    if text.isdecimal() and len(text) <= len(str(most)) and least <= int(text) <= most:
        return int(text)
    facts = {"least": least, "most": most}
    errors[name] = _("Enter a whole number from %(least)s to %(most)s.") % facts
    return least


def given_back(text: str, longest: int) -> str:
    """What a refused form shows again of a text, for its writer to shorten: twice what its field takes."""
    return text[: 2 * longest]


def give_back_at_most(field: Field, longest: int) -> None:
    """Let a refused form show again no more than so many characters of what was sent for a field."""
    field.bound_data = lambda data, initial: data and data[:longest]  # type: ignore[method-assign]  # noqa: ARG005
