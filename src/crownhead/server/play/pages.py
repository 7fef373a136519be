"""What all page views share: page or fragment, where to go next, problems shown as pages."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.functional import SimpleLazyObject

from crownhead.server.accounts.selectors import User
from crownhead.server.core.problems import NotSignedIn, Problem
from crownhead.server.live.selectors import position
from crownhead.server.play import presentation
from crownhead.server.play.badges import badges

Parameters = ParamSpec("Parameters")
_PLACE = "crownhead.live_from"
View = Callable[Concatenate[HttpRequest, Parameters], HttpResponse]


def page(view: View[Parameters]) -> View[Parameters]:
    """A view whose problems become pages, and whose fragments no cache takes for the page."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: Parameters.args, **kwargs: Parameters.kwargs) -> HttpResponse:
        mark_place(request)
        try:
            answer = view(request, *args, **kwargs)
        except NotSignedIn:
            answer = _to_sign_in(request)
        except Problem as problem:
            answer = problem_page(request, problem)
        patch_vary_headers(answer, ["HX-Request", "Cookie"])
        patch_cache_control(answer, private=True, no_cache=True)
        return answer

    return guarded


def mark_place(request: HttpRequest) -> None:
    """Note where the event stream stands, before anything is read: the stream tells what comes later."""
    request.META[_PLACE] = position()


def problem_page(request: HttpRequest, problem: Problem) -> HttpResponse:
    """A page that says what went wrong and where to go on."""
    context = {"problem": problem, "sentence": presentation.problem_sentence(problem), **frame(request)}
    return render(request, "problem.html", context, status=problem.status)


def frame(request: HttpRequest) -> dict[str, str]:
    """The template that a page extends: the whole frame, or none where only the content is asked for."""
    return {"base": "fragment.html" if is_fragment(request) else "base.html"}


def is_fragment(request: HttpRequest) -> bool:
    """Only the content of the page is asked for."""
    return "HX-Request" in request.headers


def leave_for(request: HttpRequest, address: str) -> HttpResponse:
    """Go on with another page after a POST; ``address`` may be the one the form is on."""
    if is_fragment(request) and address != request.path:
        return HttpResponse(status=204, headers={"HX-Redirect": address})
    return redirect(address)


def signed_in(request: HttpRequest) -> User:
    """The user who is signed in; raises ``NotSignedIn``."""
    if not isinstance(request.user, User):
        raise NotSignedIn
    return request.user


def navigation(request: HttpRequest) -> dict[str, Any]:
    """For every template: which page this is, what waits for the member, where the event stream stands."""
    match = request.resolver_match
    return {
        "here": match.view_name if match else "",
        "badges": SimpleLazyObject(lambda: badges(getattr(request, "user", None))),
        "live_from": SimpleLazyObject(lambda: request.META.get(_PLACE) or position()),
    }


def _to_sign_in(request: HttpRequest) -> HttpResponse:
    back = request.get_full_path() if request.method == "GET" else request.path
    answer: HttpResponse = redirect_to_login(back)
    if is_fragment(request):
        return HttpResponse(status=204, headers={"HX-Redirect": answer.headers["Location"]})
    return answer
