"""What the front page shows to guests."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

import crownhead
from crownhead import Colour
from crownhead.server.play.board.diagrams import Diagram, diagram

# Moorhead–Wyllie, Manchester 1841, from the Open Checkers Archive: the first recorded game we have.
_SHOWPIECE = "11-15 24-20 8-11 28-24 9-13 22-18 15x22 25x18 4-8 26-22 10-14 18x9 5x14 22-18".split()


@dataclass(frozen=True, slots=True)
class Showpiece:
    """A position from a real game that shows a guest what this is about."""

    diagram: Diagram
    fen: str
    caption: str


def showpiece() -> Showpiece:
    """The position on the front page."""
    record = crownhead.Game(opening=_SHOWPIECE)
    return Showpiece(
        diagram(record.position, bottom=Colour.BLACK),
        record.position.fen(),
        _("Moorhead against Wyllie, Manchester 1841. Red to move: what would you play?"),
    )
