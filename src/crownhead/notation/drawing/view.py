"""The coordinates of squares in an image."""

from __future__ import annotations

from dataclasses import dataclass

from crownhead.rules.geometry import Square
from crownhead.rules.schema import Board

SIDE = 100  # width of a square in units
MARGIN = 44  # margin in units if squares are numbered outside the board


@dataclass(frozen=True, slots=True)
class View:
    """The board in an image; ``flip`` puts Black at the bottom."""

    board: Board
    flip: bool
    margin: int

    @property
    def width(self) -> int:
        """The width of the image in units."""
        return self.board.width * SIDE + 2 * self.margin

    @property
    def height(self) -> int:
        """The height of the image in units."""
        return self.board.height * SIDE + 2 * self.margin

    def corner(self, file: int, rank: int) -> tuple[int, int]:
        """Return the upper left corner of a square."""
        column = self.board.width - 1 - file if self.flip else file
        row = rank if self.flip else self.board.height - 1 - rank
        return self.margin + column * SIDE, self.margin + row * SIDE

    def centre(self, square: Square) -> tuple[int, int]:
        """Return the centre of a square."""
        x, y = self.corner(square.file, square.rank)
        return x + SIDE // 2, y + SIDE // 2
