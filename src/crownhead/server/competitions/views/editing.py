"""The pages to create a tournament, and to edit one that has not started."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from crownhead import VARIANTS
from crownhead.server.accounts.access import signed_in
from crownhead.server.accounts.selectors import User
from crownhead.server.competitions import access, selectors, services
from crownhead.server.competitions.forms import TournamentForm
from crownhead.server.competitions.models import Tournament
from crownhead.server.core import clock
from crownhead.server.core.limits import caller, spend
from crownhead.server.core.moments import field_text
from crownhead.server.core.problems import Forbidden, Problem
from crownhead.server.play.presenters.families import families
from crownhead.server.web.done_once import done_once
from crownhead.server.web.page import frame, go_to, page


@require_http_methods(["GET", "HEAD", "POST"])
@page
@done_once
def new(request: HttpRequest) -> HttpResponse:
    """Create a tournament; choosing a format shows its options."""
    user = signed_in(request)
    access.expect_may_hold(user)
    if request.method == "POST":
        form = TournamentForm.of(request.POST, sent=True, may_rate=access.may_rate(user))
        made = _create(request, user, form)
        if made is not None:
            messages.success(request, _("Tournament created."))
            return go_to(request, reverse("competitions:tournament", args=[made.public_id]))
    else:
        form = TournamentForm.of(
            request.GET,
            sent="format" in request.GET and "variant" in request.GET,
            may_rate=access.may_rate(user),
        )
    return _page(request, user, form, None)


@require_http_methods(["GET", "HEAD", "POST"])
@page
def edit(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Edit a tournament that has not started."""
    user, row = signed_in(request), selectors.access_tournament(tournament_id)
    if not selectors.directs(user, row):
        raise Forbidden(_("Only directors of this tournament can edit it."))
    if request.method == "POST":
        form = TournamentForm.of(request.POST, sent=True, may_rate=_may_rate(user, row))
        if _edit(user, row, form):
            messages.success(request, _("Tournament saved."))
            return go_to(request, reverse("competitions:tournament", args=[tournament_id]))
    elif "format" in request.GET:
        form = TournamentForm.of(request.GET, sent=True, may_rate=_may_rate(user, row))
    else:
        form = TournamentForm.from_row(row, may_rate=_may_rate(user, row))
    return _page(request, user, form, row)


def _may_rate(user: User, row: Tournament) -> bool:
    """Whether the games of the tournament can be rated when this user edits it."""
    return access.may_rate(user) or bool(row.terms["rated"])


def _page(request: HttpRequest, user: User, form: TournamentForm, row: Tournament | None) -> HttpResponse:
    context = {
        "form": form,
        "tournament": row,
        "teams": form.teams_of(user),
        "families": families(VARIANTS.values()),
        "chosen": form.filled["variant"],
        "now": field_text(clock.now()),
        **frame(request),
    }
    return render(request, "competitions/form.html", context)


def _create(request: HttpRequest, user: User, form: TournamentForm) -> Tournament | None:
    wanted = form.announcement()
    if form.errors:
        return None
    try:
        spend(scope="tournaments", who=caller(request))
        return services.create(user=user, wanted=wanted, now=clock.now())
    except Problem as problem:
        if not form.refuse(problem):
            raise
        return None


def _edit(user: User, row: Tournament, form: TournamentForm) -> bool:
    wanted = form.announcement()
    if form.errors:
        return False
    try:
        services.edit(user=user, tournament_id=row.public_id, wanted=wanted, now=clock.now())
    except Problem as problem:
        if not form.refuse(problem):
            raise
        return False
    return True
