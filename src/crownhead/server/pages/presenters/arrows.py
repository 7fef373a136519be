"""Arrows over a board: each a move that the engine thinks of, drawn through the squares of its path."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from crownhead import Colour, Variant
from crownhead.rules.geometry import squares
from crownhead.server.play.presenters.board.boards import Arrow

_HEAD, _HALF = 0.34, 0.19  # of a square: how long the head is, and half its breadth


def arrows(variant: Variant, paths: Iterable[Sequence[int]], *, bottom: Colour) -> tuple[Arrow, ...]:
    """One for each path, the best first, on a board seen from the side at the bottom."""
    places, board = squares(variant.board, variant.notation), variant.board

    def centre(number: int) -> tuple[float, float]:
        file, rank = places[number].file, places[number].rank
        if bottom is Colour.BLACK:
            return board.width - file - 0.5, rank + 0.5
        return file + 0.5, board.height - rank - 0.5

    drawn = []
    for rank, path in enumerate(paths, start=1):
        points = [centre(number) for number in path]
        if len(set(points)) > 1:
            drawn.append(_arrow(points, rank))
    return tuple(reversed(drawn))  # the best is drawn last, over the others


def _arrow(points: list[tuple[float, float]], rank: int) -> Arrow:
    (x0, y0), (x1, y1) = points[-2:]
    length = math.hypot(x1 - x0, y1 - y0) or 1.0
    along_x, along_y = (x1 - x0) / length, (y1 - y0) / length
    neck = (x1 - along_x * _HEAD, y1 - along_y * _HEAD)
    left = (neck[0] - along_y * _HALF, neck[1] + along_x * _HALF)
    right = (neck[0] + along_y * _HALF, neck[1] - along_x * _HALF)
    return Arrow(_path([*points[:-1], neck]), f"{_path([left, (x1, y1), right])}Z", rank)


def _path(points: Iterable[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.3f} {y:.3f}" for x, y in points)
