"""Downloading your data, and closing your account."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from crownhead.server.accounts.access import recently_authenticated, session_of, signed_in
from crownhead.server.accounts.services import closing
from crownhead.server.core import clock
from crownhead.server.core.limits import caller, spend
from crownhead.server.core.problems import Problem
from crownhead.server.people.selectors.data_export import archives_of, content, fetch
from crownhead.server.people.services import data_export
from crownhead.server.people.services.closing import close_confirmed
from crownhead.server.play import selectors
from crownhead.server.web.page import frame, go_to, page

_POST = ["GET", "HEAD", "POST"]


@require_http_methods(_POST)
@recently_authenticated(to_look=False)
@page
def my_data(request: HttpRequest) -> HttpResponse:
    """List the archives, with a button for a new one."""
    user, now = signed_in(request), clock.now()
    if request.method == "POST":
        try:
            data_export.ask(user=user, now=now)
        except Problem as problem:
            messages.error(request, problem.message)
        else:
            messages.success(request, _("We are creating your archive. It will be here in a minute or two."))
        return go_to(request, request.path)
    archives = archives_of(user, now)
    context = {
        "archives": archives,
        "making": any(archive.ready_at is None and not archive.failed for archive in archives),
        **frame(request),
    }
    return render(request, "people/my_data.html", context)


@require_safe
@recently_authenticated()
def download(request: HttpRequest, public_id: str) -> HttpResponseBase:
    """Send the file of an archive to its owner."""
    return _download(request, public_id)


@page
def _download(request: HttpRequest, public_id: str) -> HttpResponse:
    user = signed_in(request)
    archive = fetch(user=user, public_id=public_id, now=clock.now())
    spend(scope="records", who=caller(request))
    name = f"{user.username}-{archive.asked_at:%Y-%m-%d}.zip"
    return StreamingHttpResponse(  # type: ignore[return-value]
        content(archive),
        content_type="application/zip",
        headers={
            "Content-Disposition": f'attachment; filename="{name}"',
            "Content-Length": str(archive.size),
        },
    )


@require_http_methods(_POST)
@recently_authenticated(to_look=False)
@page
def close(request: HttpRequest) -> HttpResponse:
    """Explain what closing means; it takes the password or second factor, if that was not given just now."""
    user = signed_in(request)
    if request.method == "POST":
        close_confirmed(user=user, now=clock.now(), by=session_of(request))
        logout(request)
        messages.success(request, _("Your account is closed. Thank you for playing here."))
        return go_to(request, reverse("pages:home"))
    context = {
        "running": selectors.my_games(user=user).count(),
        "days": closing.NAME_IS_KEPT.days,
        **frame(request),
    }
    return render(request, "people/close_account.html", context)
