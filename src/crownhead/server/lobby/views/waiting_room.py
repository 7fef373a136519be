"""The waiting room."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from crownhead import VARIANTS
from crownhead.server.accounts.guests.access import new_player, player
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.lobby import selectors, services
from crownhead.server.lobby.presenters.offers import offers
from crownhead.server.lobby.presenters.quick import quick_choices
from crownhead.server.lobby.presenters.started import greet
from crownhead.server.lobby.selectors.search import MAX_SEARCHED, Search
from crownhead.server.play.presenters.entry_markup import game_link
from crownhead.server.play.presenters.families import families
from crownhead.server.play.problems import MembersOnly
from crownhead.server.play.selectors import NEWEST_FIRST
from crownhead.server.web.page import frame, go_to, page
from crownhead.server.web.page_cache import MAX_AGE, cached_for_guests, has_query
from crownhead.server.web.slices import top_slice

PER_PAGE = 25
_BACK = {"waiting-room": "lobby:waiting_room", "invitations": "lobby:invitations"}


def _cache_key(request: HttpRequest) -> Hashable | None:
    """What the waiting room shows to guests who look for nothing in particular."""
    now = clock.now()
    return None if has_query(request) else (selectors.public_state(now), int(now.timestamp()) // MAX_AGE)


@require_safe
@page
@cached_for_guests(_cache_key)
def waiting_room(request: HttpRequest) -> HttpResponse:
    """The open games."""
    search = Search.of(request.GET)
    now, user = clock.now(), request.user
    if isinstance(user, User) and not request.GET:
        current = top_slice(
            selectors.top_for(user, now), order=NEWEST_FIRST, query=request.GET, limit=PER_PAGE
        )
        searched = 0
    else:
        rows = selectors.waiting_room(viewer=user, now=now, variant=search.variant or None)
        current = search.page(rows, user, query=request.GET, limit=PER_PAGE)
        searched = MAX_SEARCHED if search.is_limited and rows[MAX_SEARCHED:].exists() else 0
    context = {
        "games": current,
        "offers": offers(request, list(current)),
        "families": partial(families, VARIANTS.values()),
        "chosen": search.variant,
        "search": search,
        "searched": searched,
        "quick": quick_choices if isinstance(user, User) else None,
        **frame(request),
    }
    return render(request, "lobby/waiting_room.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@page
def take(request: HttpRequest, public_id: str) -> HttpResponse:
    """Join a game, which starts, as a member or guest; after signing in (GET), its page offers the button."""
    if request.method == "POST":
        try:
            with new_player(request) as user:
                game = services.join_game(user=user, game_id=public_id, now=clock.now())
        except MembersOnly:
            messages.info(request, _("Sign in or sign up, then join the game: we'll bring you back to it."))
            return sign_up_first(request)
        greet(request, game)
    elif isinstance(request.user, User):
        messages.info(request, _("This is the game you wanted to join."))
    return go_to(request, game_link(public_id))


@require_http_methods(["GET", "HEAD", "POST"])
@page
def withdraw(request: HttpRequest, public_id: str) -> HttpResponse:
    """Withdraw the user's own game or invitation."""
    if request.method == "POST":
        services.withdraw_game(user=player(request), game_id=public_id, now=clock.now())
        messages.success(request, _("The game has been withdrawn."))
    return go_to(request, back(request))


def sign_up_first(request: HttpRequest) -> HttpResponse:
    """Lead to the page on which one signs up, and from there back to what the visitor wanted."""
    return go_to(request, f"{reverse('account_signup')}?{urlencode({'next': request.path})}")


def back(request: HttpRequest) -> str:
    """The list that the form came from; by default the home page."""
    return reverse(_BACK.get(request.POST.get("back", ""), "pages:home"))
