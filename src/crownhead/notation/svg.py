"""The board as an SVG document: one file, no style sheet, the same text for the same position."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import chain

from crownhead._kernel import Move
from crownhead.notation import fen
from crownhead.rules.geometry import Square, squares
from crownhead.rules.position import Position
from crownhead.rules.schema import Colour, PieceKind
from crownhead.rules.setup import Piece

_SIDE = 100  # units a square measures
_LIGHT, _DARK = "#f2e8cf", "#4f7a5b"  # the squares: tournament buff and green
_NUMBER, _TRACE, _MARK = "#ffffff", "#ffd75e", "#ffffff"


@dataclass(frozen=True, slots=True)
class _Paint:
    face: str
    rim: str  # contrasts with the board
    groove: str  # contrasts with the face


_PAINTS = {
    Colour.BLACK: _Paint("#a8322a", "#f6dcd3", "#f0b5a6"),  # "black" pieces are red
    Colour.WHITE: _Paint("#fdfaf3", "#3a332c", "#8a7f70"),
}
_CROWN = "M-20 13 L-24 -13 L-11 -1 L0 -18 L11 -1 L24 -13 L20 13 Z"
_HORSESHOE = "M-12 14 L-12 -2 A12 12 0 0 1 12 -2 L12 14"


@dataclass(frozen=True, slots=True)
class _View:
    """Where squares lie in the picture; ``flip`` puts Black at the bottom."""

    width: int
    height: int
    flip: bool

    def corner(self, file: int, rank: int) -> tuple[int, int]:
        """The left upper corner of a square."""
        column = self.width - 1 - file if self.flip else file
        row = rank if self.flip else self.height - 1 - rank
        return column * _SIDE, row * _SIDE

    def centre(self, square: Square) -> tuple[int, int]:
        x, y = self.corner(square.file, square.rank)
        return x + _SIDE // 2, y + _SIDE // 2


def draw(
    position: Position,
    *,
    flip: bool = False,
    numbers: bool = True,
    last_move: Move | None = None,
    marks: Collection[int] = (),
    size: int | None = None,
) -> str:
    """The position with White at the bottom, or Black if ``flip``.

    ``numbers`` writes the name of each square in its corner, ``last_move`` traces its path,
    ``marks`` rings squares by number, ``size`` is the picture's width in pixels (default: it scales).
    Raises ``ValueError`` for a mark or a path beyond the board.
    """
    board = position.variant.board
    view = _View(board.width, board.height, flip)
    places = squares(board, position.variant.notation)
    path = () if last_move is None else last_move.path
    strangers = sorted({*marks, *path} - places.keys())
    if strangers:
        raise ValueError(f"expected squares from 1 to {len(places)}, got {strangers}")
    parts = chain(
        _heading(position, last_move),
        _board(view, tuple(places.values())),
        _numbers(view, tuple(places.values())) if numbers else (),
        _trace(view, [places[number] for number in path]),
        (_piece(view, places[number], piece) for number, piece in position.pieces.items()),
        (_ring(view, places[number]) for number in sorted(set(marks))),
    )
    return "\n".join((_opening(view, size), *parts, "</svg>"))


def _opening(view: _View, size: int | None) -> str:
    width, height = view.width * _SIDE, view.height * _SIDE
    measure = "" if size is None else f' width="{size}" height="{size * view.height // view.width}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}"{measure}>'


def _heading(position: Position, last_move: Move | None) -> Iterator[str]:
    variant = position.variant
    yield f"<title>{escape(variant.name)}, {position.turn.value} to move</title>"
    names = squares(variant.board, variant.notation)
    lists = []
    for piece in sorted(set(position.pieces.values())):
        held = [names[number].name for number, other in position.pieces.items() if other == piece]
        lists.append(f"{piece.colour.value.capitalize()} {_plural(piece.kind)}: {', '.join(held)}.")
    if last_move is not None:
        lists.append(f"Last move: {' to '.join(names[number].name for number in last_move.path)}.")
    lists.append(f"FEN {fen.write(position.setup())}")
    yield f"<desc>{escape(' '.join(lists))}</desc>"


def _plural(kind: PieceKind) -> str:
    return "men" if kind is PieceKind.MAN else f"{kind.value}s"


def _board(view: _View, places: Sequence[Square]) -> Iterator[str]:
    yield f'<rect width="{view.width * _SIDE}" height="{view.height * _SIDE}" fill="{_LIGHT}"/>'
    corners = (view.corner(square.file, square.rank) for square in places)
    path = "".join(f"M{x} {y}h{_SIDE}v{_SIDE}h-{_SIDE}z" for x, y in corners)
    yield f'<path fill="{_DARK}" d="{path}"/>'


def _numbers(view: _View, places: Sequence[Square]) -> Iterator[str]:
    yield f'<g fill="{_NUMBER}" font-family="system-ui, sans-serif" font-size="15">'
    for square in places:
        x, y = view.corner(square.file, square.rank)
        yield f'<text x="{x + 6}" y="{y + 18}">{square.name}</text>'
    yield "</g>"


def _trace(view: _View, path: Sequence[Square]) -> Iterator[str]:
    if not path:
        return
    yield f'<g fill="none" stroke="{_TRACE}" stroke-width="4">'
    for square in (path[0], path[-1]):
        x, y = view.corner(square.file, square.rank)
        yield f'<rect x="{x + 2}" y="{y + 2}" width="{_SIDE - 4}" height="{_SIDE - 4}"/>'
    points = " ".join("{},{}".format(*view.centre(square)) for square in path)
    yield f'<polyline stroke-linejoin="round" points="{points}"/>'
    yield "</g>"


def _piece(view: _View, square: Square, piece: Piece) -> str:
    x, y = view.centre(square)
    paint = _PAINTS[piece.colour]
    disc = (
        f'<circle r="40" fill="{paint.face}" stroke="{paint.rim}" stroke-width="4"/>'
        f'<g fill="none" stroke="{paint.groove}" stroke-width="2"><circle r="34"/><circle r="28"/></g>'
    )
    return f'<g transform="translate({x} {y})">{_under(piece, paint)}{disc}{_emblem(piece, paint)}</g>'


def _under(piece: Piece, paint: _Paint) -> str:
    """The lower of a king's two discs."""
    if piece.kind is not PieceKind.KING:
        return ""
    return f'<circle cy="7" r="40" fill="{paint.groove}" stroke="{paint.rim}" stroke-width="4"/>'


def _emblem(piece: Piece, paint: _Paint) -> str:
    match piece.kind:
        case PieceKind.KING:
            return f'<path d="{_CROWN}" fill="{paint.rim}"/>'
        case PieceKind.MULE:
            stroke = f'stroke="{paint.rim}" stroke-width="7" stroke-linecap="square"'
            return f'<path d="{_HORSESHOE}" fill="none" {stroke}/>'
        case PieceKind.MAN:
            return ""


def _ring(view: _View, square: Square) -> str:
    x, y = view.centre(square)
    return (
        f'<circle cx="{x}" cy="{y}" r="46" fill="none" stroke="{_MARK}" stroke-width="5" '
        f'stroke-dasharray="12 8"/>'
    )
