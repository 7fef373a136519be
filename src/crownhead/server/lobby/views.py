"""The home page and the waiting room."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from crownhead import VARIANTS
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.lobby import invited, presentation, selectors, services
from crownhead.server.lobby.offers import offers
from crownhead.server.lobby.visits import last_visit
from crownhead.server.lobby.waiting import Search
from crownhead.server.play import selectors as games
from crownhead.server.play.families import families
from crownhead.server.play.my_games import my_games
from crownhead.server.play.pages import frame, leave_for, page, signed_in
from crownhead.server.play.selectors import Games

PER_PAGE = 25
MOST_AT_HOME = 50  # of each kind; one plays them from the top
LATELY = 5
SHOWN_TO_GUESTS = 6
_BACK = {"waiting-room": "/waiting-room/", "invitations": "/invitations/"}


@require_GET
@page
def home(request: HttpRequest) -> HttpResponse:
    """A member's games; for a guest, what this is."""
    if isinstance(request.user, User):
        return _my_games(request, request.user)
    waiting = selectors.waiting_room(viewer=request.user, now=clock.now())
    context = {
        "showpiece": presentation.showpiece(),
        "families": families(VARIANTS.values()),
        "offers": offers(request, list(waiting[:SHOWN_TO_GUESTS])),
        **frame(request),
    }
    return render(request, "lobby/welcome.html", context)


def _my_games(request: HttpRequest, user: User) -> HttpResponse:
    now = clock.now()
    since = last_visit(user, now)
    mine, theirs = games.my_games(user=user, turn=True), games.my_games(user=user, turn=False)
    waiting = games.my_waiting_games(user=user)
    context = {
        "mine": my_games(mine[:MOST_AT_HOME], user=user, now=now),
        "more_of_mine": max(mine.count() - MOST_AT_HOME, 0),
        "theirs": my_games(theirs[:MOST_AT_HOME], user=user, now=now),
        "more_of_theirs": max(theirs.count() - MOST_AT_HOME, 0),
        "received": invited.received(request, user),
        "sent": invited.sent(request, user),
        "offers": offers(request, list(waiting[:MOST_AT_HOME])),
        "finished": my_games(
            _lately(games.my_finished_games(user=user), since), user=user, now=now, since=since
        ),
        **frame(request),
    }
    return render(request, "lobby/home.html", context)


def _lately(finished: Games, since: object) -> Games:
    """Those that ended since the last visit, and no fewer than a few."""
    fresh = 0 if since is None else finished.filter(ended_at__gt=since).count()
    return finished[: min(max(fresh, LATELY), MOST_AT_HOME)]


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
        messages.success(request, _("The game has begun. Good luck!"))
    return leave_for(request, f"/games/{public_id}/")


@require_http_methods(["GET", "HEAD", "POST"])
@page
def withdraw(request: HttpRequest, public_id: str) -> HttpResponse:
    """Take one's own game, or invitation, back."""
    if request.method == "POST":
        services.withdraw_game(user=signed_in(request), game_id=public_id, now=clock.now())
        messages.success(request, _("The game is withdrawn."))
    return leave_for(request, back(request))


def back(request: HttpRequest) -> str:
    """The list from which an act was done; the home page where the form does not say."""
    return _BACK.get(request.POST.get("back", ""), "/")
