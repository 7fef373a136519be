"""Notes the position of the event stream when a page is requested, so that the page misses no event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse

from crownhead.server.live.selectors import position

_KEY = "crownhead.live_from"


class StreamPositionMiddleware:
    """Note the position before a view reads anything; the stream of the page continues from there."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Callable[..., HttpResponse], *_arguments: Any) -> None:
        if getattr(view, "is_page", False):
            mark_stream_position(request)


def mark_stream_position(request: HttpRequest) -> None:
    """Note the current position of the stream."""
    request.META[_KEY] = position()


def stream_position(request: HttpRequest) -> int:
    """The position of the stream when the page was requested."""
    noted: int | None = request.META.get(_KEY)
    return position() if noted is None else noted
