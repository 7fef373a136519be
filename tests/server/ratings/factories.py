"""A factory of rated games that are over."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from crownhead.server.accounts.models import User
from crownhead.server.play.draws.services import accept_draw, offer_draw, resign
from crownhead.server.play.models import Game
from tests.server.play.factories import NOW, fresh, make_game, play_moves

OPENING = ("11-15", "22-18", "15x22", "25x18")


def make_rated_game(
    first: User, second: User, result: str = "1-0", *, now: datetime = NOW, **terms: Any
) -> Game:
    """A rated game that is over: ``1-0`` if the first player won, ``0-1`` or ``½``."""
    game = make_game(first, second, now=now, **({"rated": True} | terms))
    if game.variant == "american":
        play_moves(game, *OPENING, now=now)
    if result == "½":
        offer_draw(user=first, game_id=game.public_id, now=now)
        accept_draw(user=second, game_id=game.public_id, now=now)
    else:
        loser = second if result == "1-0" else first
        resign(user=loser, game_id=game.public_id, now=now)
    return fresh(game)


def establish(first: User, second: User) -> int:
    """Games with changing winners until neither rating is provisional; how many."""
    games = 18
    for number in range(games):
        make_rated_game(first, second, ("1-0", "0-1")[number % 2])
    return games
