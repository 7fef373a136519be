"""The rules: variants, positions, moves, games and draws."""

from __future__ import annotations

from crownhead._kernel import Move
from crownhead.rules.errors import (
    AmbiguousMove,
    BadVariant,
    CrownheadError,
    IllegalMove,
    IllegalPosition,
    NotationError,
    TooManyCaptures,
    UnknownVariant,
)
from crownhead.rules.game import Game
from crownhead.rules.lookup import variant_of
from crownhead.rules.outcome import Outcome, Termination
from crownhead.rules.position import Position
from crownhead.rules.schema import Colour, DrawRules, PieceKind, Variant
from crownhead.rules.setup import Piece, Setup
from crownhead.rules.variants import VARIANTS

__all__ = [
    "VARIANTS",
    "AmbiguousMove",
    "BadVariant",
    "Colour",
    "CrownheadError",
    "DrawRules",
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
    "variant_of",
]
