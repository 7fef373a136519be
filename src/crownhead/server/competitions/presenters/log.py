"""The log of a tournament's directors, in the reader's language: it is stored in English."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from crownhead.server.competitions.choices import Verb
from crownhead.server.competitions.models import DirectorAction
from crownhead.server.competitions.selectors.acts import text_of, with_names_of_today

_AGAINST, _BOTH = ", against ", "both"


@dataclass(frozen=True, slots=True)
class LogLine:
    """What a director did, and why."""

    at: datetime
    by: str
    deed: str
    reason: str


def log_lines(rows: Iterable[DirectorAction]) -> list[LogLine]:
    """Entries of the log."""
    return [
        LogLine(row.done_at, row.by.username, _deed(row), row.reason) for row in with_names_of_today(rows)
    ]


def pairing_in_words(text: str) -> str:
    """The stored text about a pairing, which may end with whom a game was decided against."""
    pairing, found, player = text.rpartition(_AGAINST)
    if not found:
        return text
    if player == _BOTH:
        return _("%(pairing)s, against both") % {"pairing": pairing}
    return _("%(pairing)s, against %(player)s") % {"pairing": pairing, "player": player}


def _deed(row: DirectorAction) -> str:
    if row.verb == Verb.STARTED:
        return _("started the tournament")
    if row.verb == Verb.CLOSED:
        return _("closed the tournament")
    deed = row.get_verb_display()
    if not row.text:
        return deed
    text = pairing_in_words(row.text) if row.verb == Verb.FORFEITED else text_of(row)
    return _("%(deed)s: %(text)s") % {"deed": deed, "text": text}
