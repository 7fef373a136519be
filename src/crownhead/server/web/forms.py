"""Fields of the forms on which games are offered."""

from __future__ import annotations

from collections.abc import Mapping

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
