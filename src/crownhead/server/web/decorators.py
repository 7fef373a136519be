"""The decorator of every page: renders problems as pages, and keeps fragments and pages apart in caches."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control, patch_vary_headers

from crownhead.server.core.problems import NotSignedIn, Problem
from crownhead.server.web.fragments import frame, go_to, is_fragment

Parameters = ParamSpec("Parameters")
View = Callable[Concatenate[HttpRequest, Parameters], HttpResponse]


def page(view: View[Parameters]) -> View[Parameters]:
    """Render problems as pages, and tell caches that a fragment is not the page."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: Parameters.args, **kwargs: Parameters.kwargs) -> HttpResponse:
        try:
            response = view(request, *args, **kwargs)
        except NotSignedIn:
            response = _to_sign_in(request)
        except Problem as problem:
            response = problem_page(request, problem)
        patch_vary_headers(response, ["HX-Request", "Cookie"])
        patch_cache_control(response, private=True, no_cache=True)
        return response

    guarded.is_page = True  # type: ignore[attr-defined] # read by middleware
    return guarded


def problem_page(request: HttpRequest, problem: Problem) -> HttpResponse:
    """A page that says what went wrong."""
    context = {"problem": problem, "sentence": problem.message, **frame(request)}
    return render(request, "problem.html", context, status=problem.status)


def _to_sign_in(request: HttpRequest) -> HttpResponse:
    back = request.get_full_path() if request.method == "GET" else request.path
    response: HttpResponse = redirect_to_login(back)
    return go_to(request, response.headers["Location"]) if is_fragment(request) else response
