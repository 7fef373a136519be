"""Crownhead: rules, positions, games and notation of draughts and checkers.

>>> from crownhead import Game, Position
>>> Position.start("american").perft(4)
1469
>>> game = Game("american")
>>> for text in ("11-15", "22-18", "15x22"):
...     _ = game.push(text)
>>> game.position.fen()
'W:W21,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,22'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from crownhead import notation
from crownhead.rules import (
    VARIANTS,
    AmbiguousMove,
    BadVariant,
    Colour,
    CrownheadError,
    Game,
    IllegalMove,
    IllegalPosition,
    Move,
    NotationError,
    Outcome,
    Piece,
    PieceKind,
    Position,
    Setup,
    Termination,
    TooManyCaptures,
    UnknownVariant,
    Variant,
)
from crownhead.rules.protocols import provider

if TYPE_CHECKING:
    from crownhead import engine, pdn

provider.notation = notation

__version__ = "0.1.0"

__all__ = [
    "VARIANTS",
    "AmbiguousMove",
    "BadVariant",
    "Colour",
    "CrownheadError",
    "Game",
    "IllegalMove",
    "IllegalPosition",
    "Move",
    "NotationError",
    "Outcome",
    "Piece",
    "PieceKind",
    "Position",
    "Setup",
    "Termination",
    "TooManyCaptures",
    "UnknownVariant",
    "Variant",
    "engine",
    "pdn",
]


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Import ``engine`` and ``pdn`` when first used, so that importing the package stays fast."""
        if name in ("engine", "pdn"):
            return import_module(f"crownhead.{name}")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
