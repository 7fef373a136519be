"""What every page has in common: its decorator, whole pages and fragments, and redirects.

htmx asks for the content of a page alone: that is a fragment, which the same view and template make.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.cache import patch_cache_control, patch_vary_headers

from crownhead.server.core.problems import NotSignedIn, Problem

Parameters = ParamSpec("Parameters")
View = Callable[Concatenate[HttpRequest, Parameters], HttpResponse]

_KEEP = "Crownhead-Keep"  # the service worker keeps pages that have it


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
    return HttpResponseRedirect(address)  # not by `redirect`, which looks for a page of that name first


def keep_on_device(response: HttpResponse) -> HttpResponse:
    """Let the browser keep a page of the member who is signed in, until they sign out or change it."""
    response.headers[_KEEP] = "device"
    return response


def forget_on_device(response: HttpResponse) -> HttpResponse:
    """Let the browser forget all such pages: its session has ended, perhaps somewhere else."""
    response.headers[_KEEP] = "nobody"
    return response


def _to_sign_in(request: HttpRequest) -> HttpResponse:
    back = request.get_full_path() if request.method in {"GET", "HEAD"} else request.path
    response: HttpResponse = redirect_to_login(back)
    return go_to(request, response.headers["Location"]) if is_fragment(request) else response
