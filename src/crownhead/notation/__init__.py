"""FEN, move text, PDN and diagrams; ``crownhead.rules.protocols`` lists what the rules use from here.

Diagrams and PDN are imported when first used, so that importing the library stays fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crownhead.notation.fen import of as write_fen
from crownhead.notation.fen import plain_squares
from crownhead.notation.fen import read as read_fen
from crownhead.notation.moves import parse as parse_move
from crownhead.notation.moves import write as write_move
from crownhead.notation.moves import write_all as write_legal_moves
from crownhead.notation.moves import write_played as write_played_moves
from crownhead.notation.numberings import Numbering

if TYPE_CHECKING:
    from crownhead._kernel import Move
    from crownhead.rules.game import Game
    from crownhead.rules.position import Position
    from crownhead.rules.protocols import Arrows, Marks, ThemeLike

__all__ = [
    "Numbering",
    "parse_move",
    "plain_squares",
    "read_fen",
    "svg_diagram",
    "text_diagram",
    "write_fen",
    "write_legal_moves",
    "write_move",
    "write_pdn",
    "write_played_moves",
]


def text_diagram(position: Position) -> str:
    """Return the board as text."""
    from crownhead.notation import diagram

    return diagram.text_diagram(position)


def svg_diagram(
    position: Position,
    *,
    flip: bool,
    numbers: str,
    numbering: str,
    last_move: Move | None,
    marks: Marks,
    arrows: Arrows,
    theme: ThemeLike | str,
    size: int | None,
) -> str:
    """Return the board as an SVG document; ``svg.draw`` explains the options."""
    from crownhead.notation import svg

    return svg.draw(
        position,
        flip=flip,
        numbers=numbers,
        numbering=numbering,
        last_move=last_move,
        marks=marks,
        arrows=arrows,
        theme=theme,
        size=size,
    )


def write_pdn(game: Game) -> str:
    """Return the game as a PDN record."""
    from crownhead.notation import pdn

    return pdn.write(game)
