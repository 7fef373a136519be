"""Questions about invitations."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.core.problems import NotFound
from crownhead.server.play.games.selectors import blocking
from crownhead.server.play.models import Game, Games, Invitation, Status


def by_link(*, token: str) -> Game:
    """The game to which a link from a mail leads; raises ``NotFound``, also where who made it has left."""
    rows = Game.objects.with_players().filter(invitation__token=token, creator__closed_at=None)
    rows = rows.exclude(invitation__token="")
    game = rows.first()
    if game is None:
        raise NotFound(_("This invitation link is not valid."))
    return game


def received(*, user: User, now: datetime) -> Games:
    """The invitations that wait for the user's answer, newest first."""
    return blocking.exclude_blocked(_waiting(now).filter(invited=user), user)


def sent(*, user: User, now: datetime) -> Games:
    """The user's own invitations that wait for an answer, newest first."""
    return _waiting(now).filter(creator=user)


def by_link_count(*, user: User) -> int:
    """How many games the user offers to anyone who has the link."""
    waiting = Game.objects.filter(creator=user, status=Status.WAITING, open=False, invited=None)
    return waiting.filter(invitation__email="").exclude(invitation__token="").count()


def message_of(game: Game) -> str:
    """What the inviter wrote; empty where there is no invitation."""
    row = Invitation.objects.filter(game=game).first()
    return row.message if row else ""


def link_token(game: Game) -> str:
    """The token of the link by which a game can be taken; empty where there is none."""
    row = Invitation.objects.filter(game=game).first() if not game.open else None
    return row.token if row else ""


def _waiting(now: datetime) -> Games:
    rows = Game.objects.with_players().select_related("invitation").filter(open=False)
    return rows.filter(status=Status.WAITING, expires_at__gt=now).order_by("-created_at", "-pk")


def rematch_offered(*, user: User, game: Game) -> str | None:
    """The id of the game that the opponent offers the user after this one; None if there is none."""
    offers = Invitation.objects.again_after(game).filter(game__invited=user, game__status=Status.WAITING)
    return offers.values_list("game__public_id", flat=True).first()
