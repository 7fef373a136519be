"""What templates need everywhere: the club's name, whether it sends mail, the current page, the badges."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from crownhead.server.core.mail import no_mail
from crownhead.server.web.badges import badges


def frame(request: HttpRequest) -> dict[str, Any]:
    """The badges are counted only by templates that show them."""
    match = request.resolver_match
    return {
        "club_name": settings.CLUB_NAME,
        "no_mail": SimpleLazyObject(no_mail),
        "here": match.view_name if match else "",
        "badges": SimpleLazyObject(lambda: badges(getattr(request, "user", None))),
    }
