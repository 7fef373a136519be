"""Questions about the clock of a game in progress."""

from __future__ import annotations

from datetime import datetime, timedelta

from crownhead.server.play.clocks import time_control, timing
from crownhead.server.play.models import Game


def turn_lasts(game: Game, now: datetime) -> timedelta:
    """How long the player on turn has had, with the time for which the clock waits for a first move."""
    turn = timing.turn_of(game)
    return time_control.used(turn, now) + turn.grace
