"""The pages of teams: all of them, one, a new one."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.limits import caller, spend
from crownhead.server.core.problems import Conflict, Forbidden, Unprocessable
from crownhead.server.play.pages import frame, leave_for, page, signed_in
from crownhead.server.teams import match_selectors, selectors, services
from crownhead.server.teams.match_page import lines
from crownhead.server.teams.team_page import TeamForm, field_of, team_page

PER_PAGE = 30


@require_GET
@page
def all_teams(request: HttpRequest) -> HttpResponse:
    """All teams, the largest first; the viewer's own and those that invite him above them."""
    search = request.GET.get("name", "")[:40]
    shown = Paginator(selectors.teams(search=search), PER_PAGE).get_page(request.GET.get("page"))
    user = request.user if isinstance(request.user, User) else None
    context = {
        "games": shown,
        "teams": list(shown),
        "search": search,
        "mine": list(selectors.teams_of(user.pk)) if user else [],
        "challenges": lines(match_selectors.matches_waiting_for(user.pk)) if user else [],
        "invitations": list(selectors.my_invitations(user)) if user else [],
        **frame(request),
    }
    return render(request, "teams/all.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@page
def new_team(request: HttpRequest) -> HttpResponse:
    """Found a team."""
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
            messages.success(request, _("Your team is founded. Invite whom you want in it."))
            return leave_for(request, f"/teams/{team.public_id}/members/")
    return render(request, "teams/form.html", {"form": form, "team": None, **frame(request)})


@require_http_methods(["GET", "HEAD", "POST"])
@page
def edit(request: HttpRequest, team_id: str) -> HttpResponse:
    """Change what a team says of itself, or disband it."""
    user = signed_in(request)
    team = selectors.access_team(team_id)
    if not selectors.is_captain(user, team):
        raise Forbidden(_("Only the captain can change the team."))
    form = TeamForm(team.name, team.about, team.joining)
    if request.method == "POST":
        if request.POST.get("do") == "disband":
            services.disband(user=user, team_id=team_id, now=clock.now())
            messages.success(request, _("The team is disbanded."))
            return leave_for(request, "/teams/")
        form = TeamForm.of(request.POST)
        try:
            services.edit_team(
                user=user, team_id=team_id, name=form.name, about_text=form.about, joining=form.joining
            )
        except (Unprocessable, Conflict) as problem:
            if field_of(problem) is None:
                raise
            form.refuse(problem)
        else:
            messages.success(request, _("The team is changed."))
            return leave_for(request, f"/teams/{team_id}/")
    return render(request, "teams/form.html", {"form": form, "team": team, **frame(request)})


@require_GET
@page
def team(request: HttpRequest, team_id: str) -> HttpResponse:
    """A team: what it says of itself, who is in it, what it plays."""
    found = selectors.access_team(team_id)
    return render(request, "teams/team.html", {"page": team_page(found, request.user), **frame(request)})
