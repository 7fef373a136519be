"""Whether a challenge was played: a challenge that nobody played gives nobody a win."""

from __future__ import annotations

from crownhead.server.ladders.models import Challenge
from crownhead.server.play.games.selectors.replay import opening_plies
from crownhead.server.play.selectors import Game

_PLIES = 4  # two moves by each side


def was_played(made: Challenge) -> bool:
    """Whether both players have made two moves of their own in one of its games."""
    ids = list(made.games.values_list("game_id", flat=True))
    return any(map(has_moves, Game.objects.filter(public_id__in=ids)))


def has_moves(game: Game) -> bool:
    """Whether both players have made two moves of their own."""
    return len(game.moves.split()) - opening_plies(game) >= _PLIES
