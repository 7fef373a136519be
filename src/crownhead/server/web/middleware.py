"""Middleware: the work that the positions of one request may make."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from crownhead import TooManyCaptures
from crownhead.rules.budget import capture_budget
from crownhead.server.core.problems import refusal
from crownhead.server.web.decorators import problem_page


class CaptureBudgetMiddleware:
    """Refuses a request whose positions have more captures than `settings.CAPTURES_PER_REQUEST` can find."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer within the budget."""
        with capture_budget(settings.CAPTURES_PER_REQUEST):
            return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """A page that says so; the API answers by itself."""
        return problem_page(request, refusal(error)) if isinstance(error, TooManyCaptures) else None
