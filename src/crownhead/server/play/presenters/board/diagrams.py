"""Small boards for looking at, and what every board is drawn with: shades, lines, names at the edges."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from crownhead import Colour, Piece, Position, Variant
from crownhead.notation.drawing.board import is_dark, is_plain
from crownhead.rules.geometry import Square, square_name, squares
from crownhead.rules.schema import Grid
from crownhead.server.play.presenters.board.markup import diagram_markup

Place = tuple[int, int]  # column and row from the upper left
MARGIN = 0.32  # from the edge to the middle of what is written, where a square is 1


@dataclass(frozen=True, slots=True)
class EdgeName:
    """A name beside the board: ``x`` and ``y`` from the upper left, where a square is 1.

    ``kind``: ``end``, the square at an end of a row; ``rank`` and ``file``, of names like a1. ``own``: of the
    names that the variant itself gives its squares; ``algebraic``: of names by file and rank.
    """

    x: float
    y: float
    text: str
    kind: Literal["end", "rank", "file"]
    own: bool
    algebraic: bool


@dataclass(frozen=True, slots=True)
class Diagram:
    """A small board: squares by shade, lines, pieces, marks, all by column and row from the upper left.

    ``dots`` are squares to go to, ``rings`` squares that are meant, ``arrows`` ways along places.
    ``on_points``: pieces stand where lines cross.
    ``detailed``: its pieces are drawn as on boards that are played on, a dozen elements each; else all men of
    a side are two paths.
    """

    width: int
    height: int
    dark: tuple[Place, ...]
    lines: str
    pieces: tuple[tuple[int, int, Piece], ...]
    label: str
    dark_side: str
    names: tuple[tuple[int, int, str], ...] = ()
    dots: tuple[Place, ...] = ()
    rings: tuple[Place, ...] = ()
    arrows: tuple[tuple[Place, ...], ...] = ()
    detailed: bool = False
    on_points: bool = False

    @property
    def markup(self) -> SafeString:
        """The board as SVG."""
        return diagram_markup(self)


@dataclass(frozen=True, slots=True)
class Marks:
    """What is pointed out on a small board, by square numbers."""

    dots: Collection[int] = ()
    rings: Collection[int] = ()
    arrows: Collection[tuple[int, ...]] = ()
    names: bool = False  # what each square is called


NO_MARKS = Marks()


def diagram(
    position: Position, *, bottom: Colour, label: str = "", marks: Marks = NO_MARKS, detailed: bool = False
) -> Diagram:
    """A small board of a position."""
    if not label and marks is NO_MARKS:
        return _plain(position, bottom, get_language() or "", detailed=detailed)
    label = label or _fen(position)
    return draw_pieces(
        position.variant, position.pieces, bottom=bottom, label=label, marks=marks, detailed=detailed
    )


@lru_cache(maxsize=1024)
def _plain(position: Position, bottom: Colour, _language: str, *, detailed: bool) -> Diagram:
    return draw_pieces(
        position.variant, position.pieces, bottom=bottom, label=_fen(position), detailed=detailed
    )


def draw_pieces(
    variant: Variant,
    pieces: Mapping[int, Piece],
    *,
    bottom: Colour,
    label: str,
    marks: Marks = NO_MARKS,
    detailed: bool = False,
) -> Diagram:
    """A small board of any arrangement."""
    board = variant.board
    at = places(variant, bottom)
    shades = {square.number: shade(variant, square.file, square.rank) for square in _squares(variant)}
    return Diagram(
        board.width,
        board.height,
        tuple(place for number, place in at.items() if shades[number] == "dark"),
        lines(variant),
        tuple((*at[number], piece) for number, piece in pieces.items()),
        label,
        dark_side(variant),
        tuple((*at[square.number], square.name) for square in _squares(variant)) if marks.names else (),
        tuple(at[number] for number in sorted(marks.dots)),
        tuple(at[number] for number in sorted(marks.rings)),
        tuple(tuple(at[number] for number in way) for way in marks.arrows),
        detailed,
        board.grid is Grid.LINES,
    )


def shade(variant: Variant, file: int, rank: int) -> str:
    """How a square is drawn: ``dark``, ``light``, or ``point`` where there are lines instead of shades."""
    if variant.board.grid is Grid.LINES or is_plain(variant):
        return "point"
    return "dark" if is_dark(variant, file, rank) else "light"


def lines(variant: Variant) -> str:
    """What is drawn instead of shades, in squares: lines between points, or the edges of squares."""
    board = variant.board
    if is_plain(variant):
        edges_across = (f"M0 {row}H{board.width}" for row in range(1, board.height))
        return "".join((*edges_across, *(f"M{column} 0V{board.height}" for column in range(1, board.width))))
    if board.grid is not Grid.LINES:
        return ""
    across = [f"M.5 {row}.5H{board.width - 1}.5" for row in range(board.height)]
    along = [f"M{column}.5 .5V{board.height - 1}.5" for column in range(board.width)]
    slopes = [
        f"M{column}.5 {row}.5l1 1" if (column + row) % 2 == 0 else f"M{column + 1}.5 {row}.5l-1 1"
        for row in range(board.height - 1)
        for column in range(board.width - 1)
    ]
    return "".join((*across, *along, *slopes))


@lru_cache(maxsize=256)
def edges(variant: Variant, bottom: Colour) -> tuple[EdgeName, ...]:
    """All that is written around the board of a variant, seen from a side; of two kinds if it has numbers."""
    own = variant.notation.algebraic
    numbers = () if own else _ends(variant, bottom)
    return (*numbers, *_ranks_and_files(variant, bottom, own=own))


def dark_side(variant: Variant) -> str:
    """The colour in which the darker side is drawn: ``red`` or ``black``."""
    return variant.dark_name.lower()


def bottom_of(variant: Variant, colour: Colour) -> Colour:
    """The side at the bottom when ``colour`` looks at the board: both look alike where all go one way."""
    return Colour.WHITE if variant.rules.one_way else colour


def places(variant: Variant, bottom: Colour) -> dict[int, Place]:
    """Where each square is drawn, by its number."""
    board = variant.board
    if bottom is Colour.BLACK:
        return {square.number: (board.width - 1 - square.file, square.rank) for square in _squares(variant)}
    return {square.number: (square.file, board.height - 1 - square.rank) for square in _squares(variant)}


def _squares(variant: Variant) -> Collection[Square]:
    return squares(variant.board, variant.notation).values()


def _fen(position: Position) -> str:
    return _("Position: %(text)s") % {"text": position.fen()}


def _ends(variant: Variant, bottom: Colour) -> tuple[EdgeName, ...]:
    left, right = -MARGIN, variant.board.width + MARGIN
    names: list[EdgeName] = []
    for rank in range(variant.board.height):
        row = sorted((at for at in _squares(variant) if at.rank == rank), key=lambda at: at.file)
        first, last = (row[0], row[-1]) if bottom is Colour.WHITE else (row[-1], row[0])
        y = _row(variant, bottom, rank)
        names += (EdgeName(x, y, at.name, "end", True, False) for x, at in ((left, first), (right, last)))
    return tuple(names)


def _ranks_and_files(variant: Variant, bottom: Colour, *, own: bool) -> tuple[EdgeName, ...]:
    board = variant.board
    ranks = {at.rank: _called(variant, at)[1:] for at in _squares(variant)}
    files = {at.file: _called(variant, at)[0] for at in _squares(variant)}
    beside = (
        EdgeName(-MARGIN, _row(variant, bottom, rank), text, "rank", own, True)
        for rank, text in ranks.items()
    )
    below = (
        EdgeName(_column(variant, bottom, file), board.height + MARGIN, text, "file", own, True)
        for file, text in files.items()
    )
    return (*beside, *below)


def _called(variant: Variant, at: Square) -> str:
    return square_name(at.file, at.rank, variant.board, variant.notation)


def _row(variant: Variant, bottom: Colour, rank: int) -> float:
    return (variant.board.height - 1 - rank if bottom is Colour.WHITE else rank) + 0.5


def _column(variant: Variant, bottom: Colour, file: int) -> float:
    return (file if bottom is Colour.WHITE else variant.board.width - 1 - file) + 0.5
