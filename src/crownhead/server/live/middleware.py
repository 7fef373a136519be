"""Where the event stream stood when a page was asked for, so that the page misses no later event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse

from crownhead.server.live.selectors import position

_KEY = "crownhead.live_from"


class StreamPositionMiddleware:
    """Note the position before a page reads anything; the stream then sends what comes later."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Callable[..., HttpResponse], *_arguments: Any) -> None:
        if getattr(view, "is_page", False):
            mark_stream_position(request)


def mark_stream_position(request: HttpRequest) -> None:
    """Note where the stream stands now."""
    request.META[_KEY] = position()


def stream_position(request: HttpRequest) -> int:
    """Where the stream stood when the page was asked for."""
    noted: int | None = request.META.get(_KEY)
    return position() if noted is None else noted
