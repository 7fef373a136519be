"""The services of the waiting room: join, withdraw, find a game."""

from __future__ import annotations

from datetime import datetime

from crownhead.server.accounts.selectors import User
from crownhead.server.play.games import services as game_services
from crownhead.server.play.games.options import Flexibility, GameOptions
from crownhead.server.play.selectors import Game


def join_game(*, user: User, game_id: str, now: datetime) -> Game:
    """Join a game from the waiting room; it starts, and the clock of the side to move runs.

    Raises ``OwnGame``, ``NotWaiting`` or ``TooManyGames``.
    """
    return game_services.join(user=user, game_id=game_id, now=now)


def withdraw_game(*, user: User, game_id: str, now: datetime) -> Game:
    """Withdraw the user's own game from the waiting room; idempotent.

    Raises ``Forbidden`` for someone else's game and ``NotWaiting``.
    """
    return game_services.withdraw_waiting(user=user, game_id=game_id, now=now)


def auto_match(*, user: User, options: GameOptions, flexibility: Flexibility, now: datetime) -> Game:
    """Join the longest-waiting game on these terms or within their range, or create one that waits.

    Raises ``Unprocessable`` or ``TooManyGames``.
    """
    return game_services.auto_match(user=user, options=options, flexibility=flexibility, now=now)
