"""The pages to join and leave a team, and to manage its members."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from crownhead.server.accounts.access import signed_in
from crownhead.server.accounts.selectors import User
from crownhead.server.accounts.validators import LONGEST
from crownhead.server.core import clock
from crownhead.server.core.problems import NotFound, Unprocessable
from crownhead.server.teams import selectors, services
from crownhead.server.teams.presenters.teams import member_lines
from crownhead.server.teams.selectors import JoinRequest, Team
from crownhead.server.web.forms import given_back
from crownhead.server.web.page import frame, go_to, page
from crownhead.server.web.slices import Slice, keyed, numbered

PER_PAGE, REQUESTS_PER_PAGE = 100, 25


@require_http_methods(["GET", "HEAD", "POST"])
@page
def join(request: HttpRequest, team_id: str) -> HttpResponse:
    """Join, ask to, or decline an invitation; a GET, as after signing in, leads to the team."""
    if request.method == "POST":
        user, verb = signed_in(request), request.POST.get("do")
        if verb in {"lead", "not_lead"}:
            services.answer_leading(user=user, team_id=team_id, accepted=verb == "lead")
            messages.success(request, _("You are now the captain.") if verb == "lead" else _("Declined."))
        elif verb == "decline":
            services.decline(user=user, team_id=team_id)
            messages.success(request, _("Done."))
        elif services.join(
            user=user, team_id=team_id, message=request.POST.get("message", ""), now=clock.now()
        ):
            messages.success(request, _("Welcome to the team!"))
        else:
            messages.success(request, _("Your request was sent to the captain."))
    return go_to(request, reverse("teams:team", args=[team_id]))


@require_http_methods(["GET", "HEAD", "POST"])
@page
def leave(request: HttpRequest, team_id: str) -> HttpResponse:
    """Leave a team."""
    if request.method == "POST":
        services.leave(user=signed_in(request), team_id=team_id, now=clock.now())
        messages.success(request, _("You have left the team."))
    return go_to(request, reverse("teams:team", args=[team_id]))


@require_http_methods(["GET", "HEAD", "POST"])
@page
def members(request: HttpRequest, team_id: str) -> HttpResponse:
    """The members of a team; its captain invites, answers and removes here."""
    team = selectors.access_team(team_id)
    error, username = "", request.POST.get("username", "")
    if request.method == "POST":
        try:
            done = _perform(signed_in(request), team_id, request.POST.get("do", ""), username, request)
        except Unprocessable as problem:
            error = problem.message
        else:
            messages.success(request, done)
            return go_to(request, reverse("teams:members", args=[team_id]))
    page_obj = keyed(selectors.members(team), order=("joined_at", "id"), query=request.GET, limit=PER_PAGE)
    leads = selectors.is_captain(request.user, team)
    context = {
        "team": team,
        "games": page_obj,
        "members": member_lines(page_obj, team),
        "leads": leads,
        "asked_to_lead": team.successor.username if leads and team.successor else "",
        "join_requests": _join_requests(request, team) if leads else (),
        "error": error,
        "username": given_back(username, LONGEST) if error else "",
        **frame(request),
    }
    return render(request, "teams/members.html", context)


def _join_requests(request: HttpRequest, team: Team) -> Slice[JoinRequest]:
    rows = selectors.join_requests(signed_in(request), team)
    return numbered(rows, query=request.GET, limit=REQUESTS_PER_PAGE)


def _perform(user: User, team_id: str, verb: str, username: str, request: HttpRequest) -> str:
    """Do what the button says; returns the message to show."""
    now = clock.now()
    message = request.POST.get("message", "")
    actions: dict[str, tuple[Callable[[], object], str]] = {
        "invite": (
            lambda: services.invite(user=user, team_id=team_id, username=username, message=message, now=now),
            _("%(name)s has been invited."),
        ),
        "accept": (
            lambda: services.answer(user=user, team_id=team_id, username=username, accepted=True, now=now),
            _("%(name)s is now a member."),
        ),
        "refuse": (
            lambda: services.answer(user=user, team_id=team_id, username=username, accepted=False, now=now),
            _("%(name)s was removed from the list."),
        ),
        "remove": (
            lambda: services.remove(user=user, team_id=team_id, username=username),
            _("%(name)s is no longer a member."),
        ),
        "captain": (
            lambda: services.hand_over(user=user, team_id=team_id, username=username),
            _("%(name)s has been asked to become captain."),
        ),
    }
    if verb not in actions:
        raise NotFound(_("This action doesn't exist."))
    action, text = actions[verb]
    action()
    return text % {"name": username.strip()}
