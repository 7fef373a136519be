"""Addresses below /api that the API does not have."""

from django.http import HttpRequest, HttpResponse

from crownhead.server.core.problems import NotFound, response


def unknown(request: HttpRequest) -> HttpResponse:
    """Answer any of them."""
    return response(NotFound(f"there is no {request.path} in this API"))
