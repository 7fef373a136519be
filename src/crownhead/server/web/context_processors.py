"""What the frame of a page needs in every template: the name of the club, the current page, the badges."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from crownhead.server.web.badges import badges


def frame(request: HttpRequest) -> dict[str, Any]:
    """The badges are counted only by templates that show them."""
    match = request.resolver_match
    return {
        "club_name": settings.CLUB_NAME,
        "here": match.view_name if match else "",
        "badges": SimpleLazyObject(lambda: badges(getattr(request, "user", None))),
    }
