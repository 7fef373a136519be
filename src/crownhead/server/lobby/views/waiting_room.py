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
MOST_AT_HOME = 50  # of each kind; one plays them from the top
LATELY = 5
SHOWN_TO_GUESTS = 6
_BACK = {"waiting-room": "/waiting-room/", "invitations": "/invitations/"}


@require_GET
@page
def waiting_room(request: HttpRequest) -> HttpResponse:
    """The open games."""
    search = Search.of(request.GET)
    rows = selectors.waiting_room(viewer=request.user, now=clock.now(), variant=search.variant or None)
    shown = Paginator(search.applied(rows, request.user), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "games": shown,
        "offers": offers(request, list(shown)),
        "families": families(VARIANTS.values()),
        "chosen": search.variant,
        "search": search,
        **frame(request),
    }
    return render(request, "lobby/waiting_room.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@page
def take(request: HttpRequest, public_id: str) -> HttpResponse:
    """Take a game; it starts. Who comes here from signing in finds the button on the game's own page."""
    if request.method == "POST":
        services.join_game(user=signed_in(request), game_id=public_id, now=clock.now())
        messages.success(request, _("The game has started. Good luck!"))
    return go_to(request, f"/games/{public_id}/")


@require_http_methods(["GET", "HEAD", "POST"])
@page
def withdraw(request: HttpRequest, public_id: str) -> HttpResponse:
    """Take one's own game, or invitation, back."""
    if request.method == "POST":
        services.withdraw_game(user=signed_in(request), game_id=public_id, now=clock.now())
        messages.success(request, _("The game has been withdrawn."))
    return go_to(request, back(request))


def back(request: HttpRequest) -> str:
    """The list from which an act was done; the home page where the form does not say."""
    return _BACK.get(request.POST.get("back", ""), "/")
