"""Rated games played to a result, for the tests."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from crownhead.server.accounts.models import User
from crownhead.server.play.draws.services import accept_draw, offer_draw, resign
from crownhead.server.play.models import Game
from tests.server.play.table import NOW, begin, fresh, play

OPENING = ("11-15", "22-18", "15x22", "25x18")


def finished(first: User, second: User, result: str = "1-0", *, now: datetime = NOW, **terms: Any) -> Game:
    """A rated game that is over: ``1-0`` if the first player won, ``0-1`` or ``½``."""
    game = begin(first, second, now=now, **({"rated": True} | terms))
    if game.variant == "american":
        play(game, *OPENING, now=now)
    if result == "½":
        offer_draw(user=first, game_id=game.public_id, now=now)
        accept_draw(user=second, game_id=game.public_id, now=now)
    else:
        loser = second if result == "1-0" else first
        resign(user=loser, game_id=game.public_id, now=now)
    return fresh(game)
