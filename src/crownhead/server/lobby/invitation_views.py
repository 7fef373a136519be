"""The pages of invitations: the one that a link in a mail leads to, and the answers."""

from __future__ import annotations

from datetime import datetime

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.lobby import presentation
from crownhead.server.lobby.presentation import Offer
from crownhead.server.play import invitations, selectors
from crownhead.server.play.pages import frame, leave_for, page, signed_in
from crownhead.server.play.selectors import Game


@require_http_methods(["GET", "HEAD", "POST"])
@page
def join(request: HttpRequest, token: str) -> HttpResponse:
    """What the link of an invitation shows: the game, and how to take it, for strangers too."""
    if request.method == "POST":
        game = invitations.accept_link(user=signed_in(request), token=token, now=clock.now())
        messages.success(request, _("The game has begun. Good luck!"))
        return leave_for(request, f"/games/{game.public_id}/")
    game = invitations.by_link(token=token)
    context = {
        "offer": offer(request, game, clock.now()),
        "message": game.invitation.message,
        "waits": game.status == "waiting" and game.expires_at > clock.now(),
        "path": request.path,
        **frame(request),
    }
    return render(request, "lobby/join.html", context)


@require_POST
@page
def accept(request: HttpRequest, public_id: str) -> HttpResponse:
    """Take the game to which one is invited."""
    game = invitations.accept(user=signed_in(request), game_id=public_id, now=clock.now())
    messages.success(request, _("The game has begun. Good luck!"))
    return leave_for(request, f"/games/{game.public_id}/")


@require_POST
@page
def decline(request: HttpRequest, public_id: str) -> HttpResponse:
    """Say no."""
    invitations.decline(user=signed_in(request), game_id=public_id, now=clock.now())
    messages.success(request, _("You have declined the invitation."))
    return leave_for(request, "/")


def received(request: HttpRequest, user: User) -> list[tuple[Offer, str]]:
    """The invitations that wait for the user's answer, each with its message."""
    now = clock.now()
    rows = invitations.received(user=user, now=now)
    return [(offer(request, game, now), game.invitation.message) for game in rows]


def sent(request: HttpRequest, user: User) -> list[tuple[Offer, str]]:
    """The user's own invitations that are not answered, each with whom it is for."""
    now = clock.now()
    rows = invitations.sent(user=user, now=now)
    return [
        (offer(request, game, now), game.invited.username if game.invited else game.invitation.email)
        for game in rows
    ]


def offer(request: HttpRequest, game: Game, now: datetime) -> Offer:
    """A game that waits, as the viewer sees it."""
    record = selectors.replay(game)
    state = selectors.state(game, request.user, now, replayed=record)
    return presentation.offer(state, record, viewer_id=request.user.pk, now=now)
