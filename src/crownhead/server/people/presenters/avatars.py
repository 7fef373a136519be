"""A picture for every name: a draughtsman seen from above, whose colours, rim and inlay come from the name.

The same name, in whatever case, always gives the same picture; nothing is stored. The inlay is a square of
five by five fields, the left half mirrored to the right, of which only those are filled that would be the
dark fields of a board.
"""

from __future__ import annotations

import hashlib
from math import cos, pi, sin

from crownhead.server.accounts.validators import CLOSED, folded

SIDE = 64  # of the picture, in its own units
ETAG_OF = 3  # changes when the drawing does

_HUES = (8, 28, 44, 78, 128, 160, 184, 204, 222, 262, 292, 330)
_NOTCHES = (12, 16, 20, 24)
_FIELD = 5.6
_CORNER = SIDE / 2 - 2.5 * _FIELD


def draw(name: str) -> str:
    """The picture of a name, as SVG."""
    seed = hashlib.sha256(folded(name).encode("utf-8", "replace")).digest()
    closed = folded(name).startswith(CLOSED)
    hue, other = _HUES[seed[0] % len(_HUES)], _HUES[seed[1] % len(_HUES)]
    summary = _colour(hue, 0 if closed else 42 + seed[2] % 20, 34 + seed[3] % 10)
    rim = _colour(hue, 0 if closed else 38, 22)
    inlay = _colour(other, 0 if closed else 70, 84)
    parts = [
        f'<circle cx="32" cy="32" r="32" fill="{rim}"/>',
        f'<path d="{_notches(_NOTCHES[seed[4] % len(_NOTCHES)])}" stroke="{summary}" stroke-width="2.4"/>',
        f'<circle cx="32" cy="32" r="26.5" fill="{summary}"/>',
        f'<circle cx="32" cy="32" r="21.5" fill="none" stroke="{inlay}" stroke-opacity=".45"/>',
        f'<path d="{_inlay(seed[5:])}" fill="{inlay}"/>' if not closed else "",
    ]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE} {SIDE}" width="{SIDE}" height="{SIDE}">'
    )
    return f"{head}{''.join(parts)}</svg>"


def mark_of(name: str) -> str:
    """What changes when the picture of a name does."""
    return hashlib.sha256(f"{ETAG_OF} {folded(name)}".encode("utf-8", "replace")).hexdigest()[:16]


def _colour(hue: int, saturation: int, lightness: int) -> str:
    return f"hsl({hue} {saturation}% {lightness}%)"


def _notches(count: int) -> str:
    """The milled edge: short strokes across the rim."""
    strokes = []
    for number in range(count):
        x, y = cos(2 * pi * number / count), sin(2 * pi * number / count)
        strokes.append(f"M{32 + 27.5 * x:.2f} {32 + 27.5 * y:.2f}L{32 + 31 * x:.2f} {32 + 31 * y:.2f}")
    return "".join(strokes)


def _inlay(bits: bytes) -> str:
    """Some of the dark fields of a board of five by five, the same on the left and on the right."""
    half = [(column, row) for row in range(5) for column in range(3) if (column + row) % 2 == 0]
    filled = [field for place, field in enumerate(half) if bits[place // 8] >> place % 8 & 1]
    if len(filled) < 2:  # too little to know a summary by
        filled = [(0, 0), (2, 2), (0, 4)]
    columns = {(column, row) for column, row in filled} | {(4 - column, row) for column, row in filled}
    return "".join(
        f"M{_CORNER + column * _FIELD:.1f} {_CORNER + row * _FIELD:.1f}h{_FIELD}v{_FIELD}h-{_FIELD}z"
        for column, row in sorted(columns)
    )
