"""What the menu needs in every template: the current page and the badges."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from crownhead.server.web.badges import badges


def navigation(request: HttpRequest) -> dict[str, Any]:
    """Context processor of every template."""
    match = request.resolver_match
    return {
        "here": match.view_name if match else "",
        "badges": SimpleLazyObject(lambda: badges(getattr(request, "user", None))),
    }
