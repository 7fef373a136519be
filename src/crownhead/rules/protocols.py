"""What positions and games need from the notation room, which stands above this one.

``Position.fen()`` is where a reader looks for it, but FEN is notation. So the laws state the need
here and the package plugs the notation in when it is imported; nothing below looks upwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from crownhead._kernel import Move
    from crownhead.rules.game import Game
    from crownhead.rules.position import Position
    from crownhead.rules.setup import Setup

_Squares = Sequence[int]
PlainSquares = tuple[bool, _Squares, _Squares, _Squares, _Squares, _Squares, _Squares]
"""Whether Black is to move, then squares in the order in which the kernel takes them."""


class NotationProvider(Protocol):
    """The texts and pictures of positions, moves and games."""

    def read_fen(self, text: str, variant_key: str) -> Setup:
        """A FEN as an arrangement; raises ``NotationError``."""

    def plain_squares(self, text: str, variant_key: str) -> PlainSquares | None:
        """What a FEN in a usual form says; None for any other text, which ``read_fen`` may know."""

    def write_fen(self, position: Position) -> str:
        """The FEN of a position."""

    def parse_move(self, position: Position, text: str) -> Move:
        """The legal move that a text means; raises ``NotationError``, ``IllegalMove``, ``AmbiguousMove``."""

    def write_move(self, position: Position, move: Move) -> str:
        """A legal move, short unless that is ambiguous."""

    def text_diagram(self, position: Position) -> str:
        """The board drawn with characters."""

    def svg_diagram(self, position: Position, **options: Any) -> str:
        """The board as an SVG document."""

    def write_pdn(self, game: Game) -> str:
        """The game as a PDN record."""


class _Provider:
    """Holds the one set of notations in use."""

    __slots__ = ("notation",)
    notation: NotationProvider


provider = _Provider()
