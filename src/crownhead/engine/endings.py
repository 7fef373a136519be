"""Endings that nobody has played: a few pieces of each side anywhere, for the engine to learn from."""

from __future__ import annotations

import random

from crownhead.rules.errors import IllegalPosition
from crownhead.rules.lookup import variant_of
from crownhead.rules.position import Position
from crownhead.rules.schema import Colour, Crowning, Objective, PieceKind, Variant
from crownhead.rules.setup import Piece, Setup

_MOST = 4  # pieces of a side
_LEAD = 2  # pieces that one side may have more


def has_endings(row: Variant) -> bool:
    """Whether games come down to kings at all."""
    rules = row.rules
    return (
        rules.crowning is not Crowning.NEVER
        and rules.objective is not Objective.FIRST_KING
        and not rules.jumps_only
    )


def endings_of(variant: str, count: int, *, seed: int = 0) -> list[Position]:
    """Positions of up to four pieces a side, half of them kings; none where there are no such endings."""
    row = variant_of(variant)
    dice = random.Random(seed)
    found: list[Position] = []
    for _ in range(20 * count if has_endings(row) else 0):
        position = _any(row, dice)
        if position is not None and position.outcome() is None:
            found.append(position)
        if len(found) == count:
            break
    return found


def _any(row: Variant, dice: random.Random) -> Position | None:
    """Pieces anywhere; None where the laws know no such position."""
    first = dice.randint(1, _MOST)
    second = dice.randint(max(1, first - _LEAD), min(_MOST, first + _LEAD))
    squares = dice.sample(range(1, row.board.squares + 1), first + second)
    pieces = {
        square: Piece(
            Colour.WHITE if place < first else Colour.BLACK, dice.choice((PieceKind.KING, PieceKind.MAN))
        )
        for place, square in enumerate(squares)
    }
    try:
        return Position.from_setup(Setup(row.key, dice.choice(list(Colour)), pieces))
    except IllegalPosition:
        return None
