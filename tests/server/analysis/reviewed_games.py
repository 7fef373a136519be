"""A game with a blunder, over and ready to be reviewed."""

from __future__ import annotations

from typing import Any

from crownhead.server.accounts.models import User
from crownhead.server.analysis.choices import Depth
from crownhead.server.analysis.models import Review
from crownhead.server.analysis.reviews import services as review_services
from crownhead.server.play.draws.services import resign
from crownhead.server.play.models import Game
from tests.server.play.factories import NOW, make_game, play_moves

BLUNDER = ("11-15", "23-19", "9-14", "22-17", "8-11", "19-16")  # the last one gives a man
ANSWERS = ("11x20", "26-23", "6-9", "25-22")


def over(first: User, second: User, **options: Any) -> Game:
    """A game that its second player gave up."""
    game = play_moves(make_game(first, second, **options), *BLUNDER, *ANSWERS)
    return resign(user=second, game_id=game.public_id, now=NOW)


def ask(user: User, game: Game) -> Review:
    """A quick review of it, asked for and still to be made."""
    return review_services.request_review(user=user, game_id=game.public_id, depth=Depth.QUICK, now=NOW)
