"""Pages on which one joins and leaves a team, and its captain looks after its members."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from crownhead.server.accounts.access import signed_in
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.problems import NotFound, Unprocessable
from crownhead.server.teams import selectors, services
from crownhead.server.teams.presenters.teams import member_lines
from crownhead.server.web.decorators import page
from crownhead.server.web.fragments import frame, go_to

PER_PAGE = 100


@require_http_methods(["GET", "HEAD", "POST"])
@page
def join(request: HttpRequest, team_id: str) -> HttpResponse:
    """Join, ask to, or say no to an invitation; who comes here from signing in finds the buttons."""
    if request.method == "POST":
        user = signed_in(request)
        if request.POST.get("do") == "decline":
            services.decline(user=user, team_id=team_id)
            messages.success(request, _("Done: the team has no request of yours, nor you an invitation."))
        elif services.join(
            user=user, team_id=team_id, message=request.POST.get("message", ""), now=clock.now()
        ):
            messages.success(request, _("You are a member now."))
        else:
            messages.success(request, _("The captain is told that you want to join."))
    return go_to(request, f"/teams/{team_id}/")


@require_http_methods(["GET", "HEAD", "POST"])
@page
def leave(request: HttpRequest, team_id: str) -> HttpResponse:
    """Leave a team."""
    if request.method == "POST":
        services.leave(user=signed_in(request), team_id=team_id, now=clock.now())
        messages.success(request, _("You have left the team."))
    return go_to(request, f"/teams/{team_id}/")


@require_http_methods(["GET", "HEAD", "POST"])
@page
def members(request: HttpRequest, team_id: str) -> HttpResponse:
    """Everybody in a team; its captain invites, answers and removes here."""
    team = selectors.access_team(team_id)
    wrong, username = "", request.POST.get("username", "")
    if request.method == "POST":
        try:
            done = _act(signed_in(request), team_id, request.POST.get("do", ""), username, request)
        except Unprocessable as problem:
            wrong = problem.detail.partition(": ")[2] or problem.detail
        else:
            messages.success(request, done)
            return go_to(request, f"/teams/{team_id}/members/")
    shown = Paginator(selectors.members(team), PER_PAGE).get_page(request.GET.get("page"))
    leads = selectors.is_captain(request.user, team)
    context = {
        "team": team,
        "games": shown,
        "members": member_lines(shown, team),
        "leads": leads,
        "knocks": list(selectors.knocks(signed_in(request), team)) if leads else [],
        "wrong": wrong,
        "username": username if wrong else "",
        **frame(request),
    }
    return render(request, "teams/members.html", context)


def _act(user: User, team_id: str, verb: str, username: str, request: HttpRequest) -> str:
    """Do what a button of the page says; the sentence that tells so."""
    now = clock.now()
    message = request.POST.get("message", "")
    acts: dict[str, tuple[Callable[[], object], str]] = {
        "invite": (
            lambda: services.invite(user=user, team_id=team_id, username=username, message=message, now=now),
            _("%(name)s is invited."),
        ),
        "accept": (
            lambda: services.answer(user=user, team_id=team_id, username=username, accepted=True, now=now),
            _("%(name)s is a member now."),
        ),
        "refuse": (
            lambda: services.answer(user=user, team_id=team_id, username=username, accepted=False, now=now),
            _("The request of %(name)s is gone."),
        ),
        "remove": (
            lambda: services.remove(user=user, team_id=team_id, username=username),
            _("%(name)s is no longer a member."),
        ),
        "captain": (
            lambda: services.hand_over(user=user, team_id=team_id, username=username),
            _("%(name)s leads the team now."),
        ),
    }
    if verb not in acts:
        raise NotFound(_("There is no such button."))
    act, said = acts[verb]
    act()
    return said % {"name": username.strip()}
