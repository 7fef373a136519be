"""The pages of invitations: the list, the one that a link in a mail leads to, the answers."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from crownhead.server.core import clock
from crownhead.server.lobby import invited
from crownhead.server.lobby.offers import offer
from crownhead.server.lobby.views import back
from crownhead.server.play import invitations
from crownhead.server.play.pages import frame, leave_for, page, signed_in


@require_GET
@page
def list_all(request: HttpRequest) -> HttpResponse:
    """What waits for the user's answer, and what he has sent."""
    user = signed_in(request)
    context = {
        "received": invited.received(request, user),
        "sent": invited.sent(request, user),
        "back": "invitations",
        **frame(request),
    }
    return render(request, "lobby/invitations.html", context)


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
        "offer": offer(request, game),
        "message": game.invitation.message,
        "waits": game.status == "waiting" and game.expires_at > clock.now(),
        "path": request.path,
        **frame(request),
    }
    return render(request, "lobby/join.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@page
def accept(request: HttpRequest, public_id: str) -> HttpResponse:
    """Take the game to which one is invited; who comes back from signing in finds it on its own page."""
    if request.method == "POST":
        invitations.accept(user=signed_in(request), game_id=public_id, now=clock.now())
        messages.success(request, _("The game has begun. Good luck!"))
    return leave_for(request, f"/games/{public_id}/")


@require_http_methods(["GET", "HEAD", "POST"])
@page
def decline(request: HttpRequest, public_id: str) -> HttpResponse:
    """Say no."""
    if request.method == "POST":
        invitations.decline(user=signed_in(request), game_id=public_id, now=clock.now())
        messages.success(request, _("You have declined the invitation."))
    return leave_for(request, back(request))
