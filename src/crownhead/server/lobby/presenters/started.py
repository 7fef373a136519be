"""What a player is wished when a game of theirs starts."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _

from crownhead.server.play.clocks.time_control import Pace
from crownhead.server.play.selectors import Game


def greet(request: HttpRequest, game: Game) -> None:
    """Say on the next page that the game has started; of a live one its clock says it, without a line."""
    if game.pace != Pace.LIVE:
        messages.success(request, _("The game has started. Good luck!"))
