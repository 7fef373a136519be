"""The rows of a review's move list as HTML: of a long game there are hundreds."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from django.utils.safestring import SafeString, mark_safe

from crownhead.server.pages.presenters.review.moves import Reviewed, Row


def rows_markup(rows: Iterable[Row], *, ply: int) -> SafeString:
    """The rows of a table: their number, and the move of each side; ``ply``: the one shown on the board."""
    return mark_safe(  # nosec B308 B703 # every text in it is escaped
        "".join(
            f'<tr><th scope="row">{row.number}.</th>{"".join(_cell(move, ply) for move in row.moves)}</tr>\n'
            for row in rows
        )
    )


def _cell(move: Reviewed | None, ply: int) -> str:
    if move is None:
        return "<td></td>"
    current = ' aria-current="true"' if move.ply == ply else ""
    grade = f' <span class="visually-hidden">{escape(move.grade)}</span>' if move.grade else ""
    worth = ""
    if move.worth:
        worth = f' <span class="worth" data-leaning="{move.leaning}">{escape(move.worth)}</span>'
    text = f"{escape(move.text)}{move.mark}"
    return f'<td><a href="?ply={move.ply}" data-ply="{move.ply}"{current}>{text}</a>{grade}{worth}</td>'
