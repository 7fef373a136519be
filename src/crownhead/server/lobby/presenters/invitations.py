"""Invitations as pages show them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest

from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.http import site_address
from crownhead.server.core.queries.prepared import Prepared
from crownhead.server.lobby.presenters.offers import Offer, name_of_invited, offer
from crownhead.server.play.invitations import selectors as invitation_selectors
from crownhead.server.play.selectors import Game


@dataclass(frozen=True, slots=True)
class Invited:
    """An invitation: the game, whom it invites, the message; ``link`` is for people without an account."""

    offer: Offer
    whom: str
    message: str
    link: str


def received(request: HttpRequest, user: User) -> list[Invited]:
    """Invitations that wait for the user's answer."""
    return [_invited(request, game) for game in _RECEIVED.rows(user_id=user.pk, now=clock.now())]


def sent(request: HttpRequest, user: User) -> list[Invited]:
    """The user's own invitations that are not answered yet."""
    return [_invited(request, game) for game in _SENT.rows(user_id=user.pk, now=clock.now())]


_RECEIVED = Prepared(
    lambda user_id, now: invitation_selectors.received(user=User(pk=user_id), now=now),
    user_id=int,
    now=datetime,
)
_SENT = Prepared(
    lambda user_id, now: invitation_selectors.sent(user=User(pk=user_id), now=now), user_id=int, now=datetime
)


def _invited(request: HttpRequest, game: Game) -> Invited:
    token = game.invitation.token
    return Invited(
        offer=offer(request, game),
        whom=name_of_invited(game),
        message=game.invitation.message,
        link=f"{site_address(request)}/join/{token}/" if token else "",
    )
