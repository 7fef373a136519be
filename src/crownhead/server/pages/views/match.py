"""The page of a match: its running score and its games; its players may end it there."""

from __future__ import annotations

from operator import attrgetter

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from crownhead.server.accounts.access import signed_in
from crownhead.server.core import clock
from crownhead.server.core.problems import Conflict, NotFound
from crownhead.server.pages.presenters.match import match_page
from crownhead.server.play import selectors
from crownhead.server.play.archive.selectors import PLIES_OF_A_LIST
from crownhead.server.play.matches import services
from crownhead.server.web.page import frame, go_to, page
from crownhead.server.web.page_cache import cached_while_unchanged
from crownhead.server.web.slices import keyed

PER_PAGE = 25


@require_http_methods(["GET", "HEAD", "POST"])
@page
@cached_while_unchanged()
def match(request: HttpRequest, match_id: str) -> HttpResponse:
    """A match as far as the viewer may see its games."""
    if request.method == "POST":
        return _end(request, match_id)
    rows = selectors.games_of_match(viewer=request.user, match_id=match_id)
    games = keyed(
        rows,
        order=("-match_number",),
        query=request.GET,
        limit=PER_PAGE,
        size_of=attrgetter("version"),
        most=PLIES_OF_A_LIST,
    )
    latest = rows.first() if games.newer else next(iter(games), None)
    if latest is None:
        raise NotFound(_("There is no such match."))
    presenter = match_page(games, latest, viewer=request.user, now=clock.now())
    return render(request, "pages/match.html", {"page": presenter, **frame(request)})


def _end(request: HttpRequest, match_id: str) -> HttpResponse:
    try:
        services.end(user=signed_in(request), match_id=match_id, now=clock.now())
        messages.success(request, _("The game in progress is the last one of this match."))
    except Conflict as problem:
        messages.error(request, problem.message)
    return go_to(request, reverse("pages:match", args=[match_id]))
