"""The vacation page: hours left, planning and cancelling vacations."""

from __future__ import annotations

from datetime import datetime

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from crownhead.server.accounts.access import signed_in
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.http import whole_number
from crownhead.server.core.problems import Problem, Unprocessable
from crownhead.server.pages.presenters.vacation import VacationForm, vacation_page
from crownhead.server.play.vacation import services as vacation_services
from crownhead.server.web.page import frame, go_to, page


@require_http_methods(["GET", "HEAD", "POST"])
@page
def my_vacation(request: HttpRequest) -> HttpResponse:
    """The hours of the year, planned vacations, and a form to plan more."""
    user, now = signed_in(request), clock.now()
    if request.method != "POST":
        return _show(request, user, VacationForm())
    if "cancel" in request.POST:
        return _cancel(request, user, now)
    form = VacationForm.of(request.POST)
    span = form.span()
    if span is None:
        return _show(request, user, form, status=422)
    try:
        vacation_services.plan(user=user, begins=span[0], ends=span[1], now=now)
    except Problem as problem:
        form.refuse(problem)
        return _show(request, user, form, status=problem.status)
    messages.success(request, _("Your vacation is planned."))
    return go_to(request, request.path)


def _cancel(request: HttpRequest, user: User, now: datetime) -> HttpResponse:
    key = whole_number(request.POST["cancel"])
    try:
        if key is None:
            raise Unprocessable(_("This page is out of date. Please reload it."))
        vacation_services.cancel(user=user, vacation_id=key, now=now)
    except Problem as problem:
        messages.error(request, problem.message)
        return _show(request, user, VacationForm(), status=problem.status)
    messages.success(request, _("The vacation is cancelled."))
    return go_to(request, request.path)


def _show(request: HttpRequest, user: User, form: VacationForm, *, status: int = 200) -> HttpResponse:
    presenter = vacation_page(user=user, form=form, query=request.GET, now=clock.now())
    context = {"page": presenter, "games": presenter.games, **frame(request)}
    return render(request, "pages/vacation.html", context, status=status)
