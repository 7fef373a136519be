"""About which games a player keeps a note."""

from __future__ import annotations

from collections.abc import Iterable

from crownhead.server.accounts.selectors import User
from crownhead.server.play.models import Game, Note


def noted(*, user: User, games: Iterable[Game]) -> set[int]:
    """The primary keys of those of the games about which the user has written a note."""
    rows = Note.objects.filter(user=user, game__in=[game.pk for game in games])
    return set(rows.values_list("game_id", flat=True))
