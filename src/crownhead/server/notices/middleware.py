"""Opening a page marks the notifications about it as read."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.notices.selectors.reading import unread_at
from crownhead.server.notices.services.reading import mark_seen

GetResponse = Callable[[HttpRequest], HttpResponseBase]

_OPENING = "navigate"  # browsers say so of a page, but not of what a script fetches
_NO_PAGES = ("/api/", "/static/", "/events", "/sw.js", "/notices/")


def mark_page_seen(get_response: GetResponse) -> GetResponse:
    """Mark notifications that link to the opened page as read.

    That is buffered, and written a moment later. A page that refreshes itself, is prefetched, or is fetched
    ahead by the service worker does not count as opened.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if _is_opened(request) and isinstance(request.user, User):
            _mark_seen(request.user, request.path)
        return get_response(request)

    return middleware


def _mark_seen(user: User, path: str) -> None:
    rows = unread_at(user=user, path=path)
    if rows:
        mark_seen(user=user, rows=rows, now=clock.now())


def _is_opened(request: HttpRequest) -> bool:
    return (
        request.method == "GET"
        and not request.path.startswith(_NO_PAGES)
        and "HX-Request" not in request.headers
        and "prefetch" not in request.headers.get("Sec-Purpose", "")
        and request.headers.get("Sec-Fetch-Mode", _OPENING) == _OPENING
    )
