"""The page of one's vacation: the hours of the year, what is set in advance, a form to set more."""

from __future__ import annotations

from datetime import UTC, datetime

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.problems import Problem, Unprocessable
from crownhead.server.play import vacation, vacation_dates
from crownhead.server.play.pages import frame, leave_for, page, signed_in
from crownhead.server.play.presentation import problem_sentence


@require_http_methods(["GET", "HEAD", "POST"])
@page
def my_vacation(request: HttpRequest) -> HttpResponse:
    """The hours of the year, what is set in advance, and a form to set more."""
    user, now = signed_in(request), clock.now()
    if request.method == "POST":
        try:
            _change_vacation(user, request.POST, now)
        except Problem as problem:
            messages.error(request, problem_sentence(problem))
        return leave_for(request, "/vacation/")
    context = {
        "budget": vacation.budget(user_id=user.pk, year=now.year),
        "planned": vacation_dates.planned(user=user, now=now),
        **frame(request),
    }
    return render(request, "play/vacation.html", context)


def _change_vacation(user: User, form: QueryDict, now: datetime) -> None:
    cancelled = form.get("cancel", "")
    if cancelled:
        if not cancelled.isdecimal() or len(cancelled) > 18:
            raise Unprocessable(_("The form does not say which vacation to call off."))
        vacation_dates.cancel(user=user, vacation_id=int(cancelled), now=now)
        return
    begins, ends = (_moment(form.get(name, "")) for name in ("begins", "ends"))
    vacation_dates.plan(user=user, begins=begins, ends=ends, now=now)


def _moment(text: str) -> datetime:
    """What a field of date and time holds, in UTC."""
    try:
        return datetime.fromisoformat(text).replace(tzinfo=UTC)
    except ValueError as error:
        raise Unprocessable(
            _("Choose a day and a whole hour (UTC) for the beginning and the end.")
        ) from error
