"""How long a note about a buddy may be."""

from __future__ import annotations

from django.utils.translation import gettext as _

from crownhead.server.core.problems import Unprocessable
from crownhead.server.core.texts import without_controls

LONGEST_NOTE = 500


def checked_note(note: str) -> str:
    """The stripped note; raises ``Unprocessable`` if it is too long."""
    text = without_controls(note)
    if len(text) > LONGEST_NOTE:
        raise Unprocessable(
            _("Use at most %(longest_note)s characters, not %(count)s.")
            % {"longest_note": LONGEST_NOTE, "count": len(text)},
            field="note",
        )
    return text
