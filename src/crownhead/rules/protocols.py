"""The notation functions that positions and games need, as a protocol.

``Position.fen()`` belongs on the position, but FEN is implemented in ``crownhead.notation``, which imports
the rules. So the rules declare what they need here, and the package sets ``provider`` when it is imported.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from crownhead._kernel import Move
    from crownhead.rules.game import Game
    from crownhead.rules.position import Position
    from crownhead.rules.schema import Variant
    from crownhead.rules.setup import Setup

_Squares = Sequence[int]
PlainSquares = tuple[bool, _Squares, _Squares, _Squares, _Squares, _Squares, _Squares]
"""Whether Black is to move, then squares in the order of the kernel's arguments."""


SquareName = int | str
"""A square in a picture: the variant's number, or the name in the numbering of the picture."""
Marks = Collection[SquareName] | Mapping[SquareName, str]
"""Squares to mark with a ring, or the shape of each mark by square."""
Arrows = Iterable[tuple[SquareName, SquareName]]
"""From square to square."""


class ThemeLike(Protocol):
    """The colours of a picture: a ``crownhead.notation.svg.Theme``."""

    @property
    def light(self) -> str:
        """Squares that are not played on."""

    @property
    def dark(self) -> str:
        """Squares that are played on."""


class NotationProvider(Protocol):
    """Reads and writes positions, moves and games."""

    def read_fen(self, text: str, variant: Variant) -> Setup:
        """Parse a FEN; raises ``NotationError``."""

    def plain_squares(self, text: str, variant: Variant) -> PlainSquares | None:
        """Parse a FEN in a common form quickly; None for any other text, for which use ``read_fen``."""

    def write_fen(self, position: Position) -> str:
        """Return the FEN of a position."""

    def parse_move(self, position: Position, text: str) -> Move:
        """Return the legal move for a text; raises ``NotationError``, ``IllegalMove``, ``AmbiguousMove``."""

    def write_move(self, position: Position, move: Move) -> str:
        """Return a legal move as text, short unless ambiguous."""

    def write_legal_moves(self, position: Position) -> Mapping[Move, str]:
        """Return all legal moves with their texts; raises ``TooManyCaptures``."""

    def write_played_moves(self, positions: Sequence[Position], moves: Sequence[Move]) -> tuple[str, ...]:
        """Return moves of a game as texts, given the positions before them; raises ``TooManyCaptures``."""

    def text_diagram(self, position: Position) -> str:
        """Return the board as text."""

    def svg_diagram(
        self,
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
        """Return the board as an SVG document; raises ``CrownheadError``."""

    def write_pdn(self, game: Game) -> str:
        """Return the game as a PDN record."""


class _Provider:
    """Holds the one set of notations in use."""

    __slots__ = ("notation",)
    notation: NotationProvider


provider = _Provider()
