"""FEN, move text, PDN games and diagrams; ``crownhead.rules.ports`` says what the laws take from here."""

from __future__ import annotations

from typing import Any

from crownhead.notation import svg
from crownhead.notation.diagram import text_diagram
from crownhead.notation.fen import of as write_fen
from crownhead.notation.fen import plain_squares
from crownhead.notation.fen import read as read_fen
from crownhead.notation.moves import parse as parse_move
from crownhead.notation.moves import write as write_move
from crownhead.notation.numberings import Numbering
from crownhead.notation.pdn import write as write_pdn
from crownhead.rules.position import Position

__all__ = [
    "Numbering",
    "parse_move",
    "plain_squares",
    "read_fen",
    "svg_diagram",
    "text_diagram",
    "write_fen",
    "write_move",
    "write_pdn",
]


def svg_diagram(position: Position, **options: Any) -> str:
    """The board as an SVG document; ``options`` are those of ``svg.draw``."""
    return svg.draw(position, **options)
