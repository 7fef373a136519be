"""Questions about what is played by a variant."""

from __future__ import annotations

from crownhead.server.play.models import Game


def has_games(variant: str) -> bool:
    """Whether the club has a game of the variant with this key: offered, running or finished."""
    return Game.objects.filter(variant=variant).exists()
