"""Pages that a member's browser may show without a connection."""

from __future__ import annotations

from django.http import HttpResponse

_HEADER = "Crownhead-Keep"  # the service worker keeps pages that have it


def keep_on_device(response: HttpResponse) -> HttpResponse:
    """Let the browser keep a page of the member who is signed in, until they sign out or change it."""
    response.headers[_HEADER] = "device"
    return response
