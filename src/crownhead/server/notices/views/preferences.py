"""Notification settings, and unsubscribing by the link in an e-mail."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from crownhead.server.accounts.access import signed_in
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.problems import Problem
from crownhead.server.notices import services
from crownhead.server.notices.kinds import Channel
from crownhead.server.notices.presenters.preferences import preferences_page, read_form
from crownhead.server.notices.selectors.preferences import timings_of
from crownhead.server.notices.selectors.unsubscribe import read
from crownhead.server.web.page import frame, go_to, page


@require_http_methods(["GET", "HEAD", "POST"])
@page
def preferences(request: HttpRequest) -> HttpResponse:
    """Show and save the settings and devices."""
    user = signed_in(request)
    if request.method != "POST":
        return _show(request, user)
    try:
        _perform(request, user)
    except Problem as problem:
        messages.error(request, problem.message)
        return _show(request, user, status=problem.status)
    return go_to(request, request.path)


@csrf_exempt  # mail programs post here for their users, without cookies (RFC 8058)
@require_http_methods(["GET", "HEAD", "POST"])
@page
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """Ask before unsubscribing, because programs follow links too; a POST unsubscribes without asking."""
    wanted = read(token)
    stopped = request.method == "POST"
    if stopped:
        services.stop(user=wanted.user, kinds=wanted.kinds, channel=Channel.MAIL, now=clock.now())
    context = {"kinds": wanted.kinds, "name": wanted.user.username, "stopped": stopped, **frame(request)}
    return render(request, "notices/unsubscribe.html", context)


def _perform(request: HttpRequest, user: User) -> None:
    now = clock.now()
    if device := request.POST.get("forget"):
        services.forget_device(user=user, public_id=device)
        messages.success(request, _("Push notifications are off for that device."))
    elif "try-address" in request.POST:
        services.try_address_again(user=user)
        messages.success(request, _("We will send e-mail to your address again."))
    else:
        timings, hour = read_form(request.POST, timings_of(user.pk))
        services.choose(user=user, timings=timings, digest_hour=hour, now=now)
        messages.success(request, _("Your settings are saved."))


def _show(request: HttpRequest, user: User, *, status: int = 200) -> HttpResponse:
    context = {"page": preferences_page(user), **frame(request)}
    return render(request, "notices/preferences.html", context, status=status)
