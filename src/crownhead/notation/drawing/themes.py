"""Colour themes for boards and pieces; those included in the library have names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType

from crownhead.rules.errors import CrownheadError

_COLOUR = re.compile(r"#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})|[A-Za-z]{3,24}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Paint:
    """The colours of one side's pieces, as CSS names or ``#rrggbb``; raises ``CrownheadError``."""

    face: str
    rim: str  # contrasts with the board and the face
    groove: str  # contrasts with the face

    def __post_init__(self) -> None:
        _require_colours(self)


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a picture, as CSS names or ``#rrggbb``; raises ``CrownheadError``."""

    light: str  # the lighter squares, or all of a board without shades
    dark: str  # the darker squares
    line: str  # between squares that look alike, or points; visible on ``light``
    number: str  # readable on ``dark``
    page: str  # around the board
    label: str  # readable on ``page`` and ``light``
    sign: str  # marks, arrows and the last move; outlined with ``halo``
    halo: str
    white: Paint
    black: Paint
    red: Paint  # the darker side, in variants that call it red

    def __post_init__(self) -> None:
        _require_colours(self)

    def paint_of(self, name: str) -> Paint:
        """Return the paint of a side by its name: White, Black or Red; other names get Black's."""
        return {"white": self.white, "red": self.red}.get(name.lower(), self.black)


def _require_colours(look: Theme | Paint) -> None:
    for column in fields(look):
        value = getattr(look, column.name)
        if not isinstance(value, Paint) and not (isinstance(value, str) and _COLOUR.fullmatch(value)):
            raise CrownheadError(f"expected a colour such as '#4f7a5b' as {column.name}, got {value!r:.60}")


_IVORY = Paint("#fdfaf3", "#3a332c", "#8a7f70")
_COAL = Paint("#2b2724", "#f1e9dc", "#857b70")
_RED = Paint("#a8322a", "#f6dcd3", "#f0b5a6")
_INK_WHITE = Paint("#ffffff", "#000000", "#000000")
_INK_BLACK = Paint("#000000", "#ffffff", "#ffffff")

_LIGHT = Theme(
    light="#f2e8cf",  # tournament buff and green
    dark="#4f7a5b",
    line="#33513d",
    number="#ffffff",
    page="#ffffff",
    label="#2c2a27",
    sign="#ffd75e",
    halo="#2c2a27",
    white=_IVORY,
    black=_COAL,
    red=_RED,
)
_DARK = Theme(
    light="#6b7380",
    dark="#343b44",
    line="#23282f",
    number="#e8eaed",
    page="#161412",
    label="#ffffff",
    sign="#ffd75e",
    halo="#161412",
    white=Paint("#f1ede4", "#161412", "#8a7f70"),
    black=Paint("#0f0e0d", "#d8d4cd", "#857b70"),
    red=Paint("#b4433a", "#f6dcd3", "#f0b5a6"),
)
_PRINT = Theme(
    light="#ffffff",
    dark="#cccccc",
    line="#000000",
    number="#000000",
    page="#ffffff",
    label="#000000",
    sign="#000000",
    halo="#ffffff",
    white=_INK_WHITE,
    black=_INK_BLACK,
    red=_INK_BLACK,
)
_CONTRAST = Theme(
    light="#ffffff",
    dark="#4a4a4a",
    line="#000000",
    number="#ffffff",
    page="#ffffff",
    label="#000000",
    sign="#ffe600",
    halo="#000000",
    white=_INK_WHITE,
    black=_INK_BLACK,
    red=_INK_BLACK,
)

THEMES: Mapping[str, Theme] = MappingProxyType(
    {"light": _LIGHT, "dark": _DARK, "print": _PRINT, "contrast": _CONTRAST}
)
"""The themes by name: light, dark, for black-and-white printing, and with high contrast."""
