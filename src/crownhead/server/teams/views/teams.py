"""The pages of teams: the list, a team, and the form to create and edit it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from crownhead.server.accounts.access import member, signed_in
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.limits import caller, spend
from crownhead.server.core.problems import Conflict, Forbidden, Unprocessable
from crownhead.server.teams import selectors, services
from crownhead.server.teams.presenters.matches import lines
from crownhead.server.teams.presenters.teams import TeamForm, field_of, team_page
from crownhead.server.teams.selectors import matches
from crownhead.server.web.done_once import done_once
from crownhead.server.web.page import frame, go_to, page
from crownhead.server.web.page_cache import LONG_MAX_AGE, cached_while_unchanged
from crownhead.server.web.slices import Slice, keyed, numbered

PER_PAGE, MAX_SHOWN = 30, 10  # of all teams, and of one's own and those one is invited to


@require_safe
@page
@cached_while_unchanged(LONG_MAX_AGE)
def all_teams(request: HttpRequest) -> HttpResponse:
    """All teams, the largest first, below the viewer's invitations and own teams."""
    search, show = request.GET.get("name", "")[:40], request.GET.get("show", "")
    user = member(request)
    if user and show in {"mine", "invitations"}:
        return _own_teams(request, user, show)
    page_obj = keyed(
        selectors.teams(search=search), order=("-size", "-id"), query=request.GET, limit=PER_PAGE
    )
    mine = list(selectors.teams_of(user.pk)[: MAX_SHOWN + 1]) if user else []
    invitations = list(selectors.my_invitations(user)[: MAX_SHOWN + 1]) if user else []
    context = {
        "games": page_obj,
        "teams": list(page_obj),
        "search": search,
        "mine": mine[:MAX_SHOWN],
        "more_mine": len(mine) > MAX_SHOWN,
        "challenges": lines(matches.matches_waiting_for(user.pk)) if user else [],
        "invitations": invitations[:MAX_SHOWN],
        "more_invitations": len(invitations) > MAX_SHOWN,
        "shows_all": True,
        **frame(request),
    }
    return render(request, "teams/all.html", context)


def _own_teams(request: HttpRequest, user: User, show: str) -> HttpResponse:
    """The user's teams by name, or the invitations, the newest first, in pages."""
    rows: Slice[Any] = (
        numbered(selectors.teams_of(user.pk), query=request.GET, limit=PER_PAGE)
        if show == "mine"
        else numbered(selectors.my_invitations(user), query=request.GET, limit=PER_PAGE)
    )
    return render(request, "teams/all.html", {"games": rows, show: list(rows), **frame(request)})


@require_http_methods(["GET", "HEAD", "POST"])
@page
@done_once
def new_team(request: HttpRequest) -> HttpResponse:
    """Create a team."""
    user = signed_in(request)
    form = TeamForm.of(request.POST)
    if request.method == "POST":
        try:
            spend(scope="teams", who=caller(request))
            team = services.create_team(
                user=user, name=form.name, about_text=form.about, joining=form.joining, now=clock.now()
            )
        except (Unprocessable, Conflict) as problem:
            if not form.refuse(problem):
                raise
        else:
            messages.success(request, _("Team created. Now invite some players."))
            return go_to(request, reverse("teams:members", args=[team.public_id]))
    return render(request, "teams/form.html", {"form": form, "team": None, **frame(request)})


@require_http_methods(["GET", "HEAD", "POST"])
@page
def edit(request: HttpRequest, team_id: str) -> HttpResponse:
    """Edit a team, or disband it."""
    user = signed_in(request)
    team = selectors.access_team(team_id)
    if not selectors.is_captain(user, team):
        raise Forbidden(_("Only the captain can edit the team."))
    form = TeamForm(team.name, team.about, team.joining)
    if request.method == "POST":
        if request.POST.get("do") == "disband":
            services.disband(user=user, team_id=team_id, now=clock.now())
            messages.success(request, _("Team disbanded."))
            return go_to(request, reverse("teams:all"))
        form = TeamForm.of(request.POST)
        try:
            services.edit_team(
                user=user,
                team_id=team_id,
                name=form.name,
                about_text=form.about,
                joining=form.joining,
                now=clock.now(),
            )
        except (Unprocessable, Conflict) as problem:
            if field_of(problem) is None:
                raise
            form.refuse(problem)
        else:
            messages.success(request, _("Team saved."))
            return go_to(request, reverse("teams:team", args=[team_id]))
    return render(request, "teams/form.html", {"form": form, "team": team, **frame(request)})


@require_safe
@page
@cached_while_unchanged(LONG_MAX_AGE)
def team(request: HttpRequest, team_id: str) -> HttpResponse:
    """A team: its description, members and matches."""
    team_row = selectors.access_team(team_id)
    return render(request, "teams/team.html", {"page": team_page(team_row, request.user), **frame(request)})
