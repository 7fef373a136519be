"""Invitations as pages show them."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest

from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.http import site_address
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
    return [_invited(request, game) for game in invitation_selectors.received(user=user, now=clock.now())]


def sent(request: HttpRequest, user: User) -> list[Invited]:
    """The user's own invitations that are not answered yet."""
    return [_invited(request, game) for game in invitation_selectors.sent(user=user, now=clock.now())]


def _invited(request: HttpRequest, game: Game) -> Invited:
    token = game.invitation.token
    return Invited(
        offer=offer(request, game),
        whom=name_of_invited(game),
        message=game.invitation.message,
        link=f"{site_address(request)}/join/{token}/" if token else "",
    )
