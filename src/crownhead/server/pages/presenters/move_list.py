"""The list of moves of a game as HTML, put together in Python: a long game has a hundred of them."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from crownhead.server.play.presenters.games import Ply, Row


def move_list(rows: Iterable[Row]) -> SafeString:
    """The lines, each move a link to the position after it."""
    planned = _planned()
    lines = "".join(
        f'<li><span class="number">{row.number}.</span>'
        f"{_ply(row.first, planned) if row.first else '<span>…</span>'}"
        f"{_ply(row.second, planned) if row.second else ''}</li>"
        for row in rows
    )
    return mark_safe(lines)  # nosec B308 B703 # every text in it is escaped


def _ply(ply: Ply, planned: str) -> str:
    current = ' aria-current="true"' if ply.current else ""
    return (
        f'<a href="?ply={ply.number}" data-ply="{ply.number}"{current}>{escape(ply.text)}'
        f"{planned if ply.planned else ''}</a>"
    )


def _planned() -> str:
    """The mark of a conditional move."""
    words = escape(_("a conditional move"))
    return (
        f'<span class="planned" title="{words}" aria-hidden="true">{escape(_("if"))}</span>'
        f'<span class="visually-hidden">{words}</span>'
    )
