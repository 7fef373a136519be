"""The page of a match: its running score and its games."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from crownhead.server.core import clock
from crownhead.server.core.problems import NotFound
from crownhead.server.pages.presenters.match import match_page
from crownhead.server.play import selectors
from crownhead.server.web.page import frame, page
from crownhead.server.web.page_cache import cached_while_unchanged


@require_safe
@page
@cached_while_unchanged()
def match(request: HttpRequest, match_id: str) -> HttpResponse:
    """A match as far as the viewer may see its games."""
    games = list(selectors.games_of_match(viewer=request.user, match_id=match_id))
    if not games:
        raise NotFound(_("There is no such match."))
    presenter = match_page(games, viewer=request.user, now=clock.now())
    return render(request, "pages/match.html", {"page": presenter, **frame(request)})
