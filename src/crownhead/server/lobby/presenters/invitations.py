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
from crownhead.server.web.slices import Slice, numbered

MAX_SHOWN = 10  # of each list on the home page
PER_PAGE = 25  # of each list on the page of invitations


@dataclass(frozen=True, slots=True)
class Invited:
    """An invitation: the game, whom it invites, the message; ``link`` is for people without an account."""

    offer: Offer
    whom: str
    message: str
    link: str


def received(request: HttpRequest, user: User) -> list[Invited]:
    """The latest invitations that wait for the user's answer, one more than ``MAX_SHOWN`` if there are."""
    return [_invited(request, game) for game in _RECEIVED.rows(user_id=user.pk, now=clock.now())]


def sent(request: HttpRequest, user: User) -> list[Invited]:
    """The user's own latest invitations that are not answered yet, one more than ``MAX_SHOWN``."""
    return [_invited(request, game) for game in _SENT.rows(user_id=user.pk, now=clock.now())]


def pages(request: HttpRequest, user: User) -> tuple[list[Invited], list[Invited], Slice[Game]]:
    """The parts of both lists that the query of a page asks for, and its neighbours."""
    now = clock.now()
    both = [
        numbered(rows, query=request.GET, limit=PER_PAGE)
        for rows in (
            invitation_selectors.received(user=user, now=now),
            invitation_selectors.sent(user=user, now=now),
        )
    ]
    to_answer, own = ([_invited(request, game) for game in part] for part in both)
    neighbours: Slice[Game] = Slice([], newer=both[0].newer, older=both[0].older or both[1].older)
    return to_answer, own, neighbours


_RECEIVED = Prepared(
    lambda user_id, now: invitation_selectors.received(user=User(pk=user_id), now=now)[: MAX_SHOWN + 1],
    user_id=int,
    now=datetime,
)
_SENT = Prepared(
    lambda user_id, now: invitation_selectors.sent(user=User(pk=user_id), now=now)[: MAX_SHOWN + 1],
    user_id=int,
    now=datetime,
)


def _invited(request: HttpRequest, game: Game) -> Invited:
    token = game.invitation.token
    return Invited(
        offer=offer(request, game),
        whom=name_of_invited(game),
        message=game.invitation.message,
        link=f"{site_address(request)}/join/{token}/" if token else "",
    )
