"""Rows that no package has: other rules under a known key, and keys and boards of their own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from crownhead import VARIANTS, Colour, Variant
from crownhead.rules.boards import numbered
from crownhead.rules.house import load_variants
from crownhead.rules.schema import (
    ANYWHERE,
    DIAGONALLY_FORWARD,
    ORTHOGONALLY,
    Board,
    Corner,
    Grid,
    Notation,
    PieceKind,
    Priority,
    Promotion,
    Start,
)

_RUSSIAN, _AMERICAN, _INTERNATIONAL = (VARIANTS[key] for key in ("russian", "american", "international"))
_UNKNOWN: dict[str, Any] = {"game_type": None, "private_game_type": None}

FORWARD_RUSSIAN = replace(_RUSSIAN, rules=replace(_RUSSIAN.rules, man_captures=DIAGONALLY_FORWARD))
"""The key of Russian draughts, but men that capture forward alone."""

SMALL = replace(
    _RUSSIAN,
    key="small-russian",
    name="Small Russian",
    board=Board(6, 6),
    notation=replace(_RUSSIAN.notation, **_UNKNOWN),
    start=Start(numbered(1, 6), numbered(13, 18), Colour.WHITE),
)
WIDE = replace(
    _AMERICAN,
    key="wide-american",
    name="Wide American",
    board=Board(10, 8, left_corner=False),
    notation=replace(_AMERICAN.notation, **_UNKNOWN),
    start=Start(numbered(1, 15), numbered(26, 40), Colour.BLACK),
    rules=replace(_AMERICAN.rules, priority=(Priority.MAX_PIECES,), promotion=Promotion.CONTINUE),
)
TALL = replace(
    _INTERNATIONAL,
    key="tall-international",
    name="Tall international",
    board=Board(8, 10),
    notation=Notation(None, Corner.BOTTOM_RIGHT),
    start=Start(numbered(29, 40), numbered(1, 12), Colour.WHITE, marked=numbered(1, 2) | numbered(39, 40)),
    rules=replace(_INTERNATIONAL.rules, man_captures=ANYWHERE, marked=PieceKind.MULE),
)
FULL = replace(
    VARIANTS["turkish"],
    key="seven-turkish",
    name="Turkish on seven by five",
    board=Board(7, 5, grid=Grid.FULL),
    notation=replace(VARIANTS["turkish"].notation, **_UNKNOWN),
    start=Start(numbered(1, 14), numbered(22, 35), Colour.WHITE),
    rules=replace(VARIANTS["turkish"].rules, man_captures=ORTHOGONALLY),
)
ROWS: tuple[Variant, ...] = (FORWARD_RUSSIAN, SMALL, WIDE, TALL, FULL)
OF_HOSTS = tuple(load_variants(Path(__file__).parent / "rules" / "house_variants.toml").values())
"""Rows as hosts write them, in a file."""


def called(row: Variant) -> str:
    """What a test with the row is called."""
    return f"{row.key}-of-its-own" if row.key in VARIANTS else row.key
