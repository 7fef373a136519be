"""The home page: a member's games, or an introduction for a visitor."""

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

MOST_GAMES = 50  # of each list; the most urgent come first
RECENT_GAMES = 5
OFFERS_FOR_GUESTS = 6


@require_GET
@page
def home(request: HttpRequest) -> HttpResponse:
    """A member's games; for a guest, the introduction."""
    if isinstance(request.user, User):
        return _my_games(request, request.user)
    waiting = selectors.waiting_room(viewer=request.user, now=clock.now())
    context = {
        "showpiece": showpiece.showpiece(),
        "families": families(VARIANTS.values()),
        "offers": offers(request, list(waiting[:OFFERS_FOR_GUESTS])),
        **frame(request),
    }
    return render(request, "pages/welcome.html", context)


def _my_games(request: HttpRequest, user: User) -> HttpResponse:
    now = clock.now()
    since = last_visit(user, now)
    mine, theirs = games.my_games(user=user, turn=True), games.my_games(user=user, turn=False)
    waiting = games.my_waiting_games(user=user)
    context = {
        "mine": my_games(mine[:MOST_GAMES], user=user, now=now),
        "more_of_mine": max(mine.count() - MOST_GAMES, 0),
        "theirs": my_games(theirs[:MOST_GAMES], user=user, now=now),
        "more_of_theirs": max(theirs.count() - MOST_GAMES, 0),
        "received": invitations.received(request, user),
        "sent": invitations.sent(request, user),
        "offers": offers(request, list(waiting[:MOST_GAMES])),
        "finished": my_games(
            _recently_finished(games.my_finished_games(user=user), since), user=user, now=now, since=since
        ),
        **frame(request),
    }
    return render(request, "pages/home.html", context)


def _recently_finished(finished: Games, since: object) -> Games:
    """The games that ended since the last visit, but at least a few."""
    fresh = 0 if since is None else finished.filter(ended_at__gt=since).count()
    return finished[: min(max(fresh, RECENT_GAMES), MOST_GAMES)]
