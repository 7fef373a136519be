"""Whom an invitation is for."""

from __future__ import annotations

from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.core.problems import NotFound
from crownhead.server.play.models import Game


def expect_invited(user: User, game_id: str) -> None:
    """Raise ``NotFound`` unless the game was offered to this user."""
    if not Game.objects.filter(public_id=game_id, invited=user).exists():
        raise NotFound(_("You have no invitation to a game %(given)s.") % {"given": repr(game_id[:60])})
