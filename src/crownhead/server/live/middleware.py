"""Notes the position of the event stream when a page is requested, so that the page misses no event.

Templates find it as ``request.live_from``. Whose request it was is noted as well: they are here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject

from crownhead.server.live.selectors import mark_position, position
from crownhead.server.live.services import note_request
from crownhead.server.web.page_cache import stream_position_from


class StreamPositionMiddleware:
    """Note the position before a view reads anything; the stream of the page continues from there.

    Of other answers it is asked only where a template shows it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.live_from = SimpleLazyObject(position)  # type: ignore[attr-defined] # for templates
        answer = self.get_response(request)
        note_request(request)
        return answer

    def process_view(self, request: HttpRequest, view: Callable[..., HttpResponse], *_arguments: Any) -> None:
        if getattr(view, "is_page", False):
            mark_position(request)


@stream_position_from
def stream_position(request: HttpRequest) -> int:
    """The position of the stream when the page was requested."""
    noted: int = request.live_from  # type: ignore[attr-defined] # set above
    return noted
