"""The position of the event stream for templates."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from crownhead.server.live.middleware import stream_position
from crownhead.server.web.kept_pages import goes_on_from

goes_on_from(stream_position)


def live(request: HttpRequest) -> dict[str, Any]:
    """Where the stream of a page starts; evaluated only by pages that open one."""
    return {"live_from": SimpleLazyObject(lambda: stream_position(request))}
