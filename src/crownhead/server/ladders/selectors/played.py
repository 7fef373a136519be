"""Whether a challenge was played: a challenge that nobody played gives nobody a win."""

from __future__ import annotations

from crownhead.server.ladders.models import Challenge
from crownhead.server.play.games.selectors.replay import lacks_moves
from crownhead.server.play.selectors import Game


def was_played(made: Challenge) -> bool:
    """Whether both players have made two moves of their own in one of its games."""
    ids = list(made.games.values_list("game_id", flat=True))
    return not all(map(lacks_moves, Game.objects.filter(public_id__in=ids)))
