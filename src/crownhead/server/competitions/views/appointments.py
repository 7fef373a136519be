"""The buttons with which two opponents agree on a time to play."""

from __future__ import annotations

from datetime import UTC, datetime

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from crownhead.server.accounts.access import signed_in
from crownhead.server.competitions import services
from crownhead.server.core import clock
from crownhead.server.core.moments import field_moment
from crownhead.server.core.problems import Problem, Unprocessable
from crownhead.server.web.page import go_to, page


@require_http_methods(["GET", "HEAD", "POST"])
@page
def appointment(request: HttpRequest, tournament_id: str, number: int, table: int) -> HttpResponse:
    """Propose a time, or accept or decline one."""
    if request.method == "POST":
        try:
            messages.success(request, _perform(request, tournament_id, number, table))
        except Problem as problem:
            if problem.status not in {403, 409, 422}:
                raise
            messages.error(request, problem.text)
    return go_to(request, reverse("competitions:tournament", args=[tournament_id]))


def _perform(request: HttpRequest, tournament_id: str, number: int, table: int) -> str:
    user, now, verb = signed_in(request), clock.now(), request.POST.get("do", "")
    if verb in {"agree", "decline"}:
        services.answer_appointment(
            user=user,
            tournament_id=tournament_id,
            number=number,
            table=table,
            agreed=verb == "agree",
            at=_moment_shown(request),
            now=now,
        )
        return _("You have agreed on a time.") if verb == "agree" else _("Declined. Propose another time.")
    services.propose_appointment(
        user=user, tournament_id=tournament_id, number=number, table=table, at=_moment(request), now=now
    )
    return _("Proposed. Your opponent has been notified.")


def _moment_shown(request: HttpRequest) -> datetime:
    """The opponent's time as the form showed it, to the second and beyond."""
    try:
        return datetime.fromisoformat(request.POST.get("at", "")).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise Unprocessable(_("Enter a date and a time.")) from error


def _moment(request: HttpRequest) -> datetime:
    try:
        return field_moment(request.POST.get("at", ""))
    except ValueError as error:
        raise Unprocessable(_("Enter a date and a time.")) from error
