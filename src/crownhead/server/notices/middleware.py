"""Whoever opens a page has seen what notices say of it."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.notices.services.reading import mark_seen

GetResponse = Callable[[HttpRequest], HttpResponseBase]

_NO_PAGES = ("/api/", "/static/", "/events", "/sw.js", "/notices/")


def note_what_is_seen(get_response: GetResponse) -> GetResponse:
    """Notices that lead to the page that is opened are read.

    A page that refreshes itself by the event stream, or is fetched in advance, is before nobody's eyes.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if _is_opened(request) and isinstance(request.user, User):
            mark_seen(user=request.user, path=request.path, now=clock.now())
        return get_response(request)

    return middleware


def _is_opened(request: HttpRequest) -> bool:
    return (
        request.method == "GET"
        and not request.path.startswith(_NO_PAGES)
        and "HX-Request" not in request.headers
        and "prefetch" not in request.headers.get("Sec-Purpose", "")
    )
