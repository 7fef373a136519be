"""Drawing the last move, marks and arrows over the board, with a halo for contrast."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import hypot

from crownhead._kernel import Move
from crownhead.notation.drawing.options import Mark
from crownhead.notation.drawing.themes import Theme
from crownhead.notation.drawing.view import SIDE, View
from crownhead.rules.geometry import Square

_SHAFT, _HEAD, _HEAD_WIDTH = 5, 34, 17  # units: half the shaft's width, the head's length and half its width

Places = Mapping[int, Square]


def trace(view: View, places: Places, move: Move, theme: Theme) -> Iterator[str]:
    """Draw the last move: frames at both ends, the path, and a cross on each captured piece."""
    path = [view.centre(places[number]) for number in move.path]
    shapes = [_framed(*path[0], 46), _framed(*path[-1], 46)]
    shapes.append("M" + "L".join(f"{x} {y}" for x, y in path))
    shapes += [_crossed(*view.centre(places[number]), 12) for number in move.captures]
    yield _stroked("".join(shapes), theme, 7)


def mark(view: View, square: Square, shape: Mark, theme: Theme) -> str:
    """Draw a mark on a square."""
    x, y = view.centre(square)
    match shape:
        case Mark.RING:
            return _stroked(f"M{x - 44} {y}a44 44 0 1 0 88 0a44 44 0 1 0 -88 0z", theme, 6)
        case Mark.FRAME:
            return _stroked(_framed(x, y, 44), theme, 6)
        case Mark.CROSS:
            return _stroked(_crossed(x, y, 30), theme, 9)
        case Mark.DOT:
            fill = f'fill="{theme.sign}" stroke="{theme.halo}" stroke-width="4"'
            return f'<circle cx="{x}" cy="{y}" r="15" {fill}/>'


def arrow(view: View, start: Square, end: Square, theme: Theme) -> str:
    """Draw an arrow between the centres of two squares."""
    (x1, y1), (x2, y2) = view.centre(start), view.centre(end)
    length = hypot(x2 - x1, y2 - y1)
    along, across = ((x2 - x1) / length, (y2 - y1) / length), (-(y2 - y1) / length, (x2 - x1) / length)
    tip, neck, tail = length - SIDE * 0.06, length - SIDE * 0.06 - _HEAD, SIDE * 0.12
    outline = (
        (tail, _SHAFT),
        (neck, _SHAFT),
        (neck, _HEAD_WIDTH),
        (tip, 0),
        (neck, -_HEAD_WIDTH),
        (neck, -_SHAFT),
        (tail, -_SHAFT),
    )
    points = " ".join(
        f"{x1 + far * along[0] + aside * across[0]:.1f},{y1 + far * along[1] + aside * across[1]:.1f}"
        for far, aside in outline
    )
    stroke = f'stroke="{theme.halo}" stroke-width="3" stroke-linejoin="round"'
    return f'<polygon fill="{theme.sign}" {stroke} points="{points}"/>'


def _framed(x: int, y: int, half: int) -> str:
    return f"M{x - half} {y - half}h{2 * half}v{2 * half}h-{2 * half}z"


def _crossed(x: int, y: int, half: int) -> str:
    arms = f"l{2 * half} {2 * half}m0 -{2 * half}l-{2 * half} {2 * half}"
    return f"M{x - half} {y - half}{arms}"


def _stroked(path: str, theme: Theme, width: int) -> str:
    """Draw a path twice: wide in the halo's colour, then thinner in the mark's colour."""
    shape = 'fill="none" stroke-linejoin="round" stroke-linecap="round"'
    return (
        f'<path {shape} stroke="{theme.halo}" stroke-width="{width + 5}" d="{path}"/>'
        f'<path {shape} stroke="{theme.sign}" stroke-width="{width}" d="{path}"/>'
    )
