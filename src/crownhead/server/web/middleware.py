"""Middleware: how many pages a guest may ask for, and how much work the positions of one request may make."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from crownhead import TooManyCaptures
from crownhead.rules.budget import capture_budget
from crownhead.server.core.limits import address, caller, seconds_to_wait, spend, too_many
from crownhead.server.core.middleware import API
from crownhead.server.core.problems import Problem, TooMany, refusal
from crownhead.server.core.problems import response as problem_response
from crownhead.server.web.page import forget_on_device, problem_page

GetResponse = Callable[[HttpRequest], HttpResponse]

HEALTH = "/health"
_BYTES_OF_A_PAGE = 50_000  # of a form: reading them takes as long as a page, some 10 ms


def limit_guests(get_response: GetResponse) -> GetResponse:
    """Count the pages of guests by their address, a long form as several; the API counts most of its own."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.path.startswith(API):
            return _counted(request, get_response(request))
        if request.path == HEALTH or request.user.is_authenticated:
            return get_response(request)
        try:
            long = int(request.META.get("CONTENT_LENGTH") or 0) // _BYTES_OF_A_PAGE
            spend(scope="pages", who=address(request), amount=1 + long)
        except TooMany as problem:
            return _plain_text(problem)
        response = get_response(request)
        has_ended = settings.SESSION_COOKIE_NAME in request.COOKIES and request.session.is_empty()
        return forget_on_device(response) if has_ended else response

    return middleware


def _counted(request: HttpRequest, answer: HttpResponse) -> HttpResponse:
    """The API's answer; one that no operation has counted, as to a wrong token, counts all the same."""
    if getattr(request, "is_counted", False):
        return answer
    wait = seconds_to_wait(scope="api", who=caller(request))
    return problem_response(too_many(wait)) if wait else answer


def _plain_text(problem: Problem) -> HttpResponse:
    """The sentence alone, which costs less than a page."""
    text = f"{problem.title}. {problem.message}\n"
    return HttpResponse(text, "text/plain; charset=utf-8", problem.status, headers=problem.headers)


class CaptureBudgetMiddleware:
    """Refuses a request whose positions have more captures than `settings.CAPTURES_PER_REQUEST` can find."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer within the budget."""
        with capture_budget(settings.CAPTURES_PER_REQUEST):
            return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """A page that says so; the API answers by itself."""
        return problem_page(request, refusal(error)) if isinstance(error, TooManyCaptures) else None
