"""Pages of reports: make one, contact the staff, read the decisions."""

from __future__ import annotations

from django.contrib import messages as notices
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from crownhead.server.accounts.access import member, signed_in
from crownhead.server.accounts.guests.access import player
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.limits import caller, spend
from crownhead.server.core.pagination import page as page_of
from crownhead.server.core.problems import Problem
from crownhead.server.social.choices import About
from crownhead.server.social.forms.messages import GuestLetterForm, LetterForm, ReportForm
from crownhead.server.social.selectors.reported import Reported, find
from crownhead.server.social.selectors.reports import open_count, reports_of
from crownhead.server.social.services import reports
from crownhead.server.web.done_once import done_once
from crownhead.server.web.page import frame, go_to, page

PER_PAGE = 25


@require_http_methods(["GET", "HEAD", "POST"])
@page
@done_once
def report(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    """Report something to the staff; somebody who plays without an account reports a game of theirs."""
    user, now = player(request) if kind == About.GAME else signed_in(request), clock.now()
    reported = find(user=user, kind=kind, key=key, now=now)
    form = ReportForm(request.POST if request.method == "POST" else None)
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            spend(scope="reports", who=caller(request))
            reports.report(user=user, kind=kind, key=key, reason=form.cleaned_data["reason"], now=now)
            return _thank(request, user, reported)
        except Problem as problem:
            form.add_error(None, problem.message)
            status = problem.status
    elif request.method == "POST":
        status = 422
    context = {"reported": reported, "form": form, **frame(request)}
    return render(request, "social/report.html", context, status=status)


def _thank(request: HttpRequest, user: User, reported: Reported) -> HttpResponse:
    """A guest goes back to the game, for the list of reports is for members."""
    if user.is_guest:
        notices.success(request, _("Thank you. The staff will look at it."))
        return go_to(request, reported.link)
    notices.success(request, _("Thank you. The staff will look at it and let you know what they decide."))
    return go_to(request, reverse("social:reports"))


@require_safe
@page
def mine(request: HttpRequest) -> HttpResponse:
    """List the member's reports, with the decisions."""
    user = signed_in(request)
    rows = reports_of(user=user)
    rows_page = page_of(rows, order=("-id",), cursor=request.GET.get("cursor") or None, limit=PER_PAGE)
    context = {
        "reports": rows_page.items,
        "next": rows_page.next,
        "waiting": open_count() if user.acts_as_staff else 0,
        **frame(request),
    }
    return render(request, "social/reports.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@page
@done_once
def letter(request: HttpRequest) -> HttpResponse:
    """Contact the staff; a guest leaves an address for the answer."""
    user = member(request)
    data = request.POST if request.method == "POST" else None
    form = LetterForm(data) if user else GuestLetterForm(data)
    status = 200
    if data is not None and form.is_valid():
        try:
            _send(request, user, form)
            notices.success(request, _("Thank you. The staff have your message."))
            return go_to(request, reverse("social:reports" if user else "social:contact"))
        except Problem as problem:
            form.add_error(None, problem.message)
            status = problem.status
    elif data is not None:
        status = 422
    return render(request, "social/letter.html", {"form": form, **frame(request)}, status=status)


def _send(request: HttpRequest, user: User | None, form: LetterForm) -> None:
    spend(scope="reports", who=caller(request))
    if isinstance(form, GuestLetterForm) and form.is_by_a_machine:
        return  # it is thanked, and learns nothing
    reports.letter(
        user=user,
        address=form.cleaned_data.get("address", ""),
        reason=form.cleaned_data["reason"],
        now=clock.now(),
    )
