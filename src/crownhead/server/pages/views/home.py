"""The home page: a member's games, or what this club is for a visitor."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from crownhead import VARIANTS
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.lobby import selectors
from crownhead.server.lobby.presenters import invitations
from crownhead.server.lobby.presenters.offers import offers
from crownhead.server.lobby.services.visits import last_visit
from crownhead.server.pages.presenters import showpiece
from crownhead.server.pages.presenters.my_games import my_games
from crownhead.server.play import selectors as games
from crownhead.server.play.presenters.families import families
from crownhead.server.play.selectors import Games
from crownhead.server.web.decorators import page
from crownhead.server.web.fragments import frame

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
        "showpiece": showpiece.showpiece(),
        "families": families(VARIANTS.values()),
        "offers": offers(request, list(waiting[:SHOWN_TO_GUESTS])),
        **frame(request),
    }
    return render(request, "pages/welcome.html", context)


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
        "received": invitations.received(request, user),
        "sent": invitations.sent(request, user),
        "offers": offers(request, list(waiting[:MOST_AT_HOME])),
        "finished": my_games(
            _lately(games.my_finished_games(user=user), since), user=user, now=now, since=since
        ),
        **frame(request),
    }
    return render(request, "pages/home.html", context)


def _lately(finished: Games, since: object) -> Games:
    """Those that ended since the last visit, and no fewer than a few."""
    fresh = 0 if since is None else finished.filter(ended_at__gt=since).count()
    return finished[: min(max(fresh, LATELY), MOST_AT_HOME)]
