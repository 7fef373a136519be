"""The events of the engine at the club."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineRefused:
    """A player asked the engine about a position like one of their running game, which had ``ply`` plies."""

    user_id: int
    game_id: str
    variant: str
    fen: str
    ply: int
    at: datetime
