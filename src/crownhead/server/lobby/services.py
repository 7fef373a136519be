"""The verbs of the waiting room."""

from __future__ import annotations

from datetime import datetime

from crownhead.server.accounts.models import User
from crownhead.server.play.models import Game


def join_game(*, user: User, game_id: str, now: datetime) -> Game:
    """Take a game from the waiting room; it starts. Refused for one's own game or one already taken."""


def withdraw_game(*, user: User, game_id: str, now: datetime) -> Game:
    """Take one's own game back out of the waiting room."""
