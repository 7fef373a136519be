"""Whole pages and fragments: htmx asks for the content of a page alone."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect


def frame(request: HttpRequest) -> dict[str, str]:
    """Return the template that a page extends: the whole frame, or only the content for a fragment."""
    return {"base": "fragment.html" if is_fragment(request) else "base.html"}


def is_fragment(request: HttpRequest) -> bool:
    """Whether the request wants only the content of the page."""
    return "HX-Request" in request.headers


def go_to(request: HttpRequest, address: str) -> HttpResponse:
    """Redirect to a page after a POST; ``address`` may be the one the form is on."""
    if is_fragment(request) and address != request.path:
        return HttpResponse(status=204, headers={"HX-Redirect": address})
    return redirect(address)
