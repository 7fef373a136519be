"""The pages of invitations: the list, the page behind an invitation link, the answers."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from crownhead.server.accounts.access import signed_in
from crownhead.server.accounts.guests.access import new_player, player, viewer
from crownhead.server.core import clock
from crownhead.server.lobby.presenters import invitations as invitation_presenters
from crownhead.server.lobby.presenters.offers import offer
from crownhead.server.lobby.presenters.started import greet
from crownhead.server.lobby.views.waiting_room import back, sign_up_first
from crownhead.server.play.choices import Status
from crownhead.server.play.invitations import selectors as invitation_selectors
from crownhead.server.play.invitations import services as invitation_services
from crownhead.server.play.presenters.entry_markup import game_link
from crownhead.server.play.problems import MembersOnly
from crownhead.server.web.page import frame, go_to, page


@require_safe
@page
def list_all(request: HttpRequest) -> HttpResponse:
    """Invitations that the user has received and sent."""
    received, sent, neighbours = invitation_presenters.pages(request, signed_in(request))
    context = {
        "received": received,
        "sent": sent,
        "games": neighbours,
        "back": "invitations",
        **frame(request),
    }
    return render(request, "lobby/invitations.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@page
def join(request: HttpRequest, token: str) -> HttpResponse:
    """The page behind an invitation link, also for visitors without an account."""
    if request.method == "POST":
        try:
            with new_player(request) as user:
                game = invitation_services.accept_link(user=user, token=token, now=clock.now())
        except MembersOnly:
            return sign_up_first(request)
        greet(request, game)
        return go_to(request, game_link(game.public_id))
    game = invitation_selectors.by_link(token=token)
    players = {game.first_player_id, game.second_player_id} - {None}
    if game.status != Status.WAITING and viewer(request).pk in players:
        return go_to(request, game_link(game.public_id))
    context: dict[str, Any] = {**frame(request), "path": request.path}
    if game.status == Status.WAITING and game.expires_at > clock.now():
        # Only now: a game that has begun may be hidden from the others who have the link.
        context |= {"offer": offer(request, game), "message": game.invitation.message}
    return render(request, "lobby/join.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@page
def accept(request: HttpRequest, public_id: str) -> HttpResponse:
    """Accept an invitation; after signing in (GET), the game's page offers the button."""
    if request.method == "POST":
        greet(request, invitation_services.accept(user=player(request), game_id=public_id, now=clock.now()))
    return go_to(request, game_link(public_id))


@require_http_methods(["GET", "HEAD", "POST"])
@page
def decline(request: HttpRequest, public_id: str) -> HttpResponse:
    """Decline an invitation."""
    if request.method == "POST":
        invitation_services.decline(user=player(request), game_id=public_id, now=clock.now())
        messages.success(request, _("Invitation declined."))
    return go_to(request, back(request))
