"""What players ask of each other, by one rule: once, and again only after something has happened.

In a game that is a move of one's own: an offer of a draw or a request for a take-back can be made again once
the player who made it has moved. Another game is offered once after each game. A player is invited so many
times a day before they accept.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.play import problems
from crownhead.server.play.models import Game, Invitation, Seat, Status

DRAW, TAKE_BACK = "draw", "take-back"
WINDOW = timedelta(days=1)
MOST_INVITATIONS = 5  # to one player within the window that did not lead to a game


def may_ask(game: Game, seat: Seat, what: str) -> bool:
    """Whether the player has moved since they last asked for this."""
    return _key(seat, what) not in game.asked


def expect_may_ask(game: Game, seat: Seat, what: str) -> None:
    """Raise ``AskedAlready`` if the player has asked for this since their last move."""
    if not may_ask(game, seat, what):
        raise problems.AskedAlready(_("You have already asked. You can ask again after your next move."))


def asked_changes(game: Game, seat: Seat, what: str) -> dict[str, Any]:
    """The changes that note what the player asks for."""
    return {"asked": [*game.asked, _key(seat, what)]}


def move_changes(game: Game, seat: Seat) -> dict[str, Any]:
    """The changes when the player moves: they may ask again."""
    return {"asked": [key for key in game.asked if not key.startswith(f"{seat.value}:")]}


def expect_may_play_again(user: User, game: Game) -> None:
    """Raise ``AskedAlready`` if the user has offered another game after this one before."""
    if Invitation.objects.again_after(game).filter(game__creator=user).exists():
        raise problems.AskedAlready(_("You have already offered another game after this one."))


def expect_may_invite_again(user: User, player: User, now: datetime) -> None:
    """Raise ``AskedAlready`` if the user's latest invitations did not lead to a game with the player."""
    rows = Game.objects.filter(creator=user, invited=player, created_at__gt=now - WINDOW)
    if rows.exclude(status__in=[Status.PLAYING, Status.FINISHED]).count() >= MOST_INVITATIONS:
        raise problems.AskedAlready(
            _("You have invited %(name)s often enough for today.") % {"name": player.username}
        )


def _key(seat: Seat, what: str) -> str:
    return f"{Seat(seat).value}:{what}"
