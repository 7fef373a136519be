"""What happens to ratings, told upwards to whoever wants to know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingsChanged:
    """A game has counted; ``points``: of each player's key, what he had and what he has."""

    game_id: str
    variant: str
    points: Mapping[int, tuple[int, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingsRecounted:
    """A game that had counted was annulled, and what came after it was counted anew."""

    game_id: str
    variant: str
