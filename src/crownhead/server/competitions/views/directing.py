"""The page where directors manage a tournament."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from crownhead.server.accounts.access import signed_in
from crownhead.server.competitions import selectors
from crownhead.server.competitions.presenters.directing import director_page
from crownhead.server.competitions.presenters.tournaments import tournament_page
from crownhead.server.competitions.views.director_actions import ACTIONS
from crownhead.server.core import clock
from crownhead.server.core.problems import Forbidden, NotFound, Problem
from crownhead.server.web.page import frame, go_to, page


@require_http_methods(["GET", "HEAD", "POST"])
@page
def direct(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Manage a tournament."""
    user, row = signed_in(request), selectors.access_tournament(tournament_id)
    if not selectors.directs(user, row):
        raise Forbidden(_("Only directors of this tournament can see this page."))
    if request.method == "POST":
        action = ACTIONS.get(request.POST.get("do", ""))
        if action is None:
            raise NotFound(_("This action doesn't exist."))
        try:
            action(user, tournament_id, request.POST, clock.now())
            messages.success(request, _("Done. It is in the log."))
        except Problem as problem:
            if problem.status not in {403, 404, 409, 422}:
                raise
            messages.error(request, problem.text)
        return go_to(request, request.path)
    context = {
        "page": tournament_page(row, user, clock.now()),
        "tools": director_page(row, user, request.GET),
        "part": "direct",
        **frame(request),
    }
    return render(request, "competitions/direct.html", context)
