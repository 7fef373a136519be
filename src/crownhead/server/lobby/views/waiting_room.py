"""The waiting room."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from crownhead import VARIANTS
from crownhead.server.accounts.access import signed_in
from crownhead.server.core import clock
from crownhead.server.lobby import selectors, services
from crownhead.server.lobby.presenters.offers import offers
from crownhead.server.lobby.selectors.search import Search
from crownhead.server.play.presenters.families import families
from crownhead.server.web.decorators import page
from crownhead.server.web.fragments import frame, go_to

PER_PAGE = 25
_BACK = {"waiting-room": "/waiting-room/", "invitations": "/invitations/"}


@require_GET
@page
def waiting_room(request: HttpRequest) -> HttpResponse:
    """The open games."""
    search = Search.of(request.GET)
    rows = selectors.waiting_room(viewer=request.user, now=clock.now(), variant=search.variant or None)
    current = Paginator(search.applied(rows, request.user), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "games": current,
        "offers": offers(request, list(current)),
        "families": families(VARIANTS.values()),
        "chosen": search.variant,
        "search": search,
        **frame(request),
    }
    return render(request, "lobby/waiting_room.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@page
def take(request: HttpRequest, public_id: str) -> HttpResponse:
    """Join a game, which starts; after signing in (GET), the game's page offers the button."""
    if request.method == "POST":
        services.join_game(user=signed_in(request), game_id=public_id, now=clock.now())
        messages.success(request, _("The game has started. Good luck!"))
    return go_to(request, f"/games/{public_id}/")


@require_http_methods(["GET", "HEAD", "POST"])
@page
def withdraw(request: HttpRequest, public_id: str) -> HttpResponse:
    """Withdraw the user's own game or invitation."""
    if request.method == "POST":
        services.withdraw_game(user=signed_in(request), game_id=public_id, now=clock.now())
        messages.success(request, _("The game has been withdrawn."))
    return go_to(request, back(request))


def back(request: HttpRequest) -> str:
    """The list that the form came from; by default the home page."""
    return _BACK.get(request.POST.get("back", ""), "/")
