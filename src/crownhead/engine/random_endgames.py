"""Random endgames for self-play to start from: a few pieces of each side on random squares."""

from __future__ import annotations

import random

from crownhead.rules.errors import IllegalPosition
from crownhead.rules.lookup import variant_of
from crownhead.rules.position import Position
from crownhead.rules.schema import Colour, Crowning, Objective, PieceKind, Variant
from crownhead.rules.setup import Piece, Setup

_MAX_PIECES = 4  # pieces of a side
_MAX_LEAD = 2  # pieces that one side may have more


def has_endgames(row: Variant) -> bool:
    """Whether games of the variant reach endgames with kings."""
    rules = row.rules
    return (
        rules.crowning is not Crowning.NEVER
        and rules.objective is not Objective.FIRST_KING
        and not rules.jumps_only
    )


def random_endgames(variant: str | Variant, count: int, *, seed: int = 0) -> list[Position]:
    """Positions of up to four pieces a side, half of them kings; none where there are no such endgames."""
    row = variant_of(variant)
    dice = random.Random(seed)
    positions: list[Position] = []
    for _ in range(20 * count if has_endgames(row) else 0):
        position = _random_position(row, dice)
        if position is not None and position.outcome() is None:
            positions.append(position)
        if len(positions) == count:
            break
    return positions


def _random_position(row: Variant, dice: random.Random) -> Position | None:
    """Pieces on random squares; None where the position is not legal."""
    first = dice.randint(1, _MAX_PIECES)
    second = dice.randint(max(1, first - _MAX_LEAD), min(_MAX_PIECES, first + _MAX_LEAD))
    squares = dice.sample(range(1, row.board.squares + 1), first + second)
    pieces = {
        square: Piece(
            Colour.WHITE if place < first else Colour.BLACK, dice.choice((PieceKind.KING, PieceKind.MAN))
        )
        for place, square in enumerate(squares)
    }
    try:
        return Position.from_setup(Setup(row, dice.choice(list(Colour)), pieces))
    except IllegalPosition:
        return None
