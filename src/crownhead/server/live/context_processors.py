"""What every template knows of the event stream."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from crownhead.server.live.middleware import stream_position


def live(request: HttpRequest) -> dict[str, Any]:
    """Where the stream of a page begins; asked for only by pages that open one."""
    return {"live_from": SimpleLazyObject(lambda: stream_position(request))}
