"""Drawing the empty board: squares or lines, and their names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from crownhead.notation.drawing.themes import Theme
from crownhead.notation.drawing.view import SIDE, View
from crownhead.rules.geometry import Square
from crownhead.rules.schema import DIAGONALLY, Board, Grid, Variant

_FONT = 'font-family="system-ui, sans-serif"'
_POINT = 8  # units: the radius of a crossing of lines


def is_plain(variant: Variant) -> bool:
    """Whether all squares look alike: shades show diagonals, and in Turkish draughts none is used."""
    rules = variant.rules
    ways = (rules.man_steps, rules.man_captures, rules.man_goes_on, rules.king_steps, rules.king_captures)
    return variant.board.grid is Grid.FULL and not any(way and DIAGONALLY & way for way in ways)


def is_dark(variant: Variant, file: int, rank: int) -> bool:
    """Whether a square has the darker shade; none has it where lines are drawn instead of shades."""
    if variant.board.grid is Grid.LINES or is_plain(variant):
        return False
    return ((file + rank) % 2 == 0) == variant.board.left_corner


def background(view: View, variant: Variant, places: Sequence[Square], theme: Theme) -> Iterator[str]:
    """Draw the squares, or the lines and points, of a board."""
    if view.margin:
        yield f'<rect width="{view.width}" height="{view.height}" fill="{theme.page}"/>'
    field = f'x="{view.margin}" y="{view.margin}" width="{view.board.width * SIDE}"'
    field += f' height="{view.board.height * SIDE}"'
    yield f'<rect {field} fill="{theme.light}"/>'
    if view.board.grid is Grid.LINES:
        yield from _lines(view, places, theme)
        return
    if is_plain(variant):
        yield _edges(view, theme)
    dark = (square for square in places if is_dark(variant, square.file, square.rank))
    corners = (view.corner(square.file, square.rank) for square in dark)
    if path := "".join(f"M{x} {y}h{SIDE}v{SIDE}h-{SIDE}z" for x, y in corners):
        yield f'<path fill="{theme.dark}" d="{path}"/>'
    yield f'<rect {field} fill="none" stroke="{theme.label}" stroke-width="2"/>'


def _edges(view: View, theme: Theme) -> str:
    width, height, margin = view.board.width, view.board.height, view.margin
    across = (f"M{margin} {margin + row * SIDE}h{width * SIDE}" for row in range(1, height))
    along = (f"M{margin + column * SIDE} {margin}v{height * SIDE}" for column in range(1, width))
    return f'<path fill="none" stroke="{theme.line}" stroke-width="2" d="{"".join((*across, *along))}"/>'


def _lines(view: View, places: Sequence[Square], theme: Theme) -> Iterator[str]:
    at = {(square.file, square.rank): view.centre(square) for square in places}
    path = "".join(
        "M{} {}L{} {}".format(*at[file, rank], *at[file + right, rank + up])
        for file, rank in at
        for right, up in _leading_on(file, rank)
        if (file + right, rank + up) in at
    )
    yield f'<path fill="none" stroke="{theme.line}" stroke-width="4" d="{path}"/>'
    dots = "".join(f'<circle cx="{x}" cy="{y}" r="{_POINT}"/>' for x, y in at.values())
    yield f'<g fill="{theme.line}">{dots}</g>'


def _leading_on(file: int, rank: int) -> Iterator[tuple[int, int]]:
    """Yield half of the directions of the lines at a point; its neighbours have the other half."""
    yield from ((1, 0), (0, 1))
    if (file + rank) % 2 == 0:
        yield from ((1, 1), (-1, 1))


def names_inside(
    view: View, variant: Variant, places: Sequence[Square], names: Mapping[int, str], theme: Theme
) -> Iterator[str]:
    """Draw the name of each square in its corner."""
    halo = ""
    if view.board.grid is Grid.LINES:  # a diagonal passes there
        halo = f' stroke="{theme.light}" stroke-width="6" paint-order="stroke"'
    for wanted, ink in ((True, theme.number), (False, theme.label)):
        of_shade = [square for square in places if is_dark(variant, square.file, square.rank) is wanted]
        if not of_shade:
            continue
        yield f'<g fill="{ink}" {_FONT} font-size="16"{halo}>'
        for square in of_shade:
            x, y = view.corner(square.file, square.rank)
            yield f'<text x="{x + 6}" y="{y + 19}">{names[square.number]}</text>'
        yield "</g>"


def names_outside(
    view: View, places: Sequence[Square], names: Mapping[int, str], theme: Theme, *, algebraic: bool
) -> Iterator[str]:
    """Draw files and ranks around the board, or the numbers at both ends of each rank."""
    yield f'<g fill="{theme.label}" {_FONT} font-size="22" text-anchor="middle">'
    left, right = view.margin // 2, view.width - view.margin // 2
    for ends in _ends(view.board, places):
        first, last = reversed(ends) if view.flip else ends
        y = view.centre(first)[1] + 8
        if algebraic:
            yield f'<text x="{left}" y="{y}">{names[first.number][1:]}</text>'
        else:
            yield f'<text x="{left}" y="{y}">{names[first.number]}</text>'
            yield f'<text x="{right}" y="{y}">{names[last.number]}</text>'
    if algebraic:
        files = {square.file: square for square in places}
        for square in files.values():
            x = view.centre(square)[0]
            yield f'<text x="{x}" y="{view.height - 14}">{names[square.number][0]}</text>'
    yield "</g>"


def _ends(board: Board, places: Sequence[Square]) -> Iterator[tuple[Square, Square]]:
    """Yield the first and last square of each rank, as White sees them."""
    for rank in range(board.height):
        row = sorted((square for square in places if square.rank == rank), key=lambda square: square.file)
        yield row[0], row[-1]
