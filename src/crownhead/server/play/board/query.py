"""What the address of a page says about its board: ply, touched squares, and the side at the bottom."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.translation import gettext as _

from crownhead import Colour
from crownhead.server.play.board.touch import Path
from crownhead.server.play.board.view import BoardPresenter, why_not

TABS = ("moves", "chat", "notes", "plan")
_PATH = re.compile(r"\d{1,3}(-\d{1,3}){0,60}")


@dataclass(frozen=True, slots=True)
class BoardQuery:
    """What an address asks of a board: the ply to show, the squares touched, the board turned, the tab."""

    ply: int | None = None
    at: Path = ()
    flip: bool = False
    tab: str = TABS[0]

    @classmethod
    def of(cls, query: QueryDict) -> BoardQuery:
        """Read a query; what makes no sense counts as not asked."""
        ply, at, tab = query.get("ply", ""), query.get("at", ""), query.get("tab", "")
        return cls(
            ply=int(ply) if ply.isdecimal() and len(ply) < 6 else None,
            at=tuple(map(int, at.split("-"))) if _PATH.fullmatch(at) else (),
            flip="flip" in query,
            tab=tab if tab in TABS else TABS[0],
        )

    def query(self, **changes: str | int | None) -> str:
        """The query of a link from here that keeps the board as it is turned."""
        values = {"flip": 1 if self.flip else None, **changes}
        parameters = {name: value for name, value in values.items() if value is not None}
        return f"?{urlencode(parameters)}" if parameters else "?"


def bottom_side(bottom: Colour, board_query: BoardQuery) -> Colour:
    """The side at the bottom once the board is turned as was asked."""
    return bottom.opponent if board_query.flip else bottom


def hint(table: BoardPresenter, board_query: BoardQuery) -> str:
    """The line under the board: what to do next, or why a touch led to nothing."""
    if not table.touch.moves:
        return ""
    if table.touch.chosen:
        return _chosen(table)
    if table.touch.path:
        return _("Choose where it goes.")
    if len(board_query.at) == 1 and board_query.at[0] in table.names:
        return why_not(table, board_query.at[0])
    return ""


def _chosen(table: BoardPresenter) -> str:
    if table.touch.targets:
        squares = ", ".join(table.names[square] for square in table.touch.targets)
        return table.texts["may-go-on"].format(move=table.touch.chosen_text, squares=squares)
    return _("Submit sends the move, Cancel undoes it.")
