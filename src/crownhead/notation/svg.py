"""Drawing a position as a self-contained, reproducible SVG document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import chain

from crownhead._kernel import Move
from crownhead.notation import fen
from crownhead.notation.drawing import board, overlays, pieces
from crownhead.notation.drawing.options import Mark, Numbers, Options, options
from crownhead.notation.drawing.themes import THEMES, Paint, Theme
from crownhead.notation.drawing.view import MARGIN, View
from crownhead.notation.numberings import Numbering, is_algebraic
from crownhead.rules.geometry import Square, squares
from crownhead.rules.position import Position
from crownhead.rules.protocols import Arrows, Marks, ThemeLike
from crownhead.rules.schema import Colour, Grid, PieceKind
from crownhead.rules.setup import Piece

__all__ = ["THEMES", "Mark", "Numbers", "Paint", "Theme", "draw"]


def draw(
    position: Position,
    *,
    flip: bool = False,
    numbers: Numbers | str = Numbers.INSIDE,
    numbering: Numbering | str = Numbering.NATIVE,
    last_move: Move | None = None,
    marks: Marks = (),
    arrows: Arrows = (),
    theme: ThemeLike | str = "light",
    size: int | None = None,
) -> str:
    """Draw a position with White at the bottom, or Black if ``flip``, and return the SVG document.

    ``numbers`` is where squares are numbered (``none``, ``inside``, ``outside``) and ``numbering``
    how; squares can be given by number or by their name in this numbering.
    ``last_move`` is a move whose path to show. ``marks`` are squares to ring, or a mapping of squares to
    ``ring``, ``frame``, ``cross`` or ``dot``; ``arrows`` are at most 200 pairs of squares. ``theme`` is a
    ``Theme`` or the key of one of ``THEMES``: ``light``, ``dark``, ``print``, ``contrast``. ``size`` is the
    width in pixels, 1 to 10,000 (default: scalable). Raises ``CrownheadError``.
    """
    wanted = options(
        position.variant,
        flip=flip,
        numbers=numbers,
        numbering=numbering,
        last_move=last_move,
        marks=marks,
        arrows=arrows,
        theme=theme,
        size=size,
    )
    margin = MARGIN if wanted.numbers is Numbers.OUTSIDE else 0
    view = View(position.variant.board, wanted.flip, margin)
    parts = chain(
        (_opening(view, wanted.size),),
        _heading(position, wanted),
        _background(position, view, wanted),
        _men(position, view, wanted.theme),
        _overlays(position, view, wanted),
    )
    return "\n".join((*parts, "</svg>"))


def _opening(view: View, size: int | None) -> str:
    box = f'viewBox="0 0 {view.width} {view.height}"'
    height = 0 if size is None else max(1, size * view.height // view.width)
    measure = "" if size is None else f' width="{size}" height="{height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {box}{measure}>'


# ----------------------------------------------------------------------- text for screen readers
def _heading(position: Position, wanted: Options) -> Iterator[str]:
    variant = position.variant
    yield f"<title>{escape(variant.name)}, {_side(position, position.turn)} to move</title>"
    sentences = [*_forces(position, wanted), *_highlights(wanted), f"FEN {fen.of(position)}"]
    yield f"<desc>{escape(' '.join(sentences))}</desc>"


def _forces(position: Position, wanted: Options) -> Iterator[str]:
    held: dict[Piece, list[str]] = {}
    for number, piece in position.pieces.items():
        held.setdefault(piece, []).append(wanted.names[number])
    for piece, named in sorted(held.items()):
        yield f"{_side(position, piece.colour)} {_plural(piece.kind)}: {', '.join(named)}."


def _highlights(wanted: Options) -> Iterator[str]:
    names = wanted.names
    if wanted.last_move is not None:
        yield f"Last move: {' to '.join(names[number] for number in wanted.last_move.path)}."
    for shape in sorted(set(wanted.marks.values())):
        named = [names[number] for number, mark in wanted.marks.items() if mark is shape]
        yield f"Marked with a {shape}: {', '.join(named)}."
    if wanted.arrows:
        yield f"Arrows: {', '.join(f'{names[start]} to {names[end]}' for start, end in wanted.arrows)}."


def _side(position: Position, colour: Colour) -> str:
    return position.variant.dark_name if colour is Colour.BLACK else "White"


def _plural(kind: PieceKind) -> str:
    return "men" if kind is PieceKind.MAN else f"{kind.value}s"


# ----------------------------------------------------------------------- drawing
def _places(position: Position) -> Sequence[Square]:
    return tuple(squares(position.variant.board, position.variant.notation).values())


def _background(position: Position, view: View, wanted: Options) -> Iterator[str]:
    places = _places(position)
    yield from board.background(view, position.variant, places, wanted.theme)
    match wanted.numbers:
        case Numbers.INSIDE:
            yield from board.names_inside(view, position.variant, places, wanted.names, wanted.theme)
        case Numbers.OUTSIDE:
            algebraic = is_algebraic(position.variant, wanted.numbering)
            yield from board.names_outside(view, places, wanted.names, wanted.theme, algebraic=algebraic)
    if wanted.last_move is not None:
        numbered = squares(position.variant.board, position.variant.notation)
        yield from overlays.trace(view, numbered, wanted.last_move, wanted.theme)


def _men(position: Position, view: View, theme: Theme) -> Iterator[str]:
    numbered = squares(position.variant.board, position.variant.notation)
    paints = {colour: theme.paint_of(_side(position, colour)) for colour in Colour}
    scale = " scale(.84)" if view.board.grid is Grid.LINES else ""  # keep the lines visible
    for number, piece in position.pieces.items():
        x, y = view.centre(numbered[number])
        disc = pieces.shape(piece.kind, paints[piece.colour])
        yield f'<g transform="translate({x} {y}){scale}">{disc}</g>'


def _overlays(position: Position, view: View, wanted: Options) -> Iterator[str]:
    numbered = squares(position.variant.board, position.variant.notation)
    for number, shape in sorted(wanted.marks.items()):
        yield overlays.mark(view, numbered[number], shape, wanted.theme)
    for start, end in wanted.arrows:
        yield overlays.arrow(view, numbered[start], numbered[end], wanted.theme)
