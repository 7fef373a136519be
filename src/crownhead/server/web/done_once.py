"""What a form makes is made once, though the form is sent twice: without scripts a double click does that.

The CSRF token is masked differently whenever a form is rendered. The same fields with the same token,
sent by the same person to the same address, are therefore the same form, and the same words written into a
new one are not.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from hashlib import sha256
from time import sleep
from typing import Concatenate, ParamSpec

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse

from crownhead.server.core.processes.neighbours import broadcast, subscribe
from crownhead.server.web.page import go_to

Parameters = ParamSpec("Parameters")
View = Callable[Concatenate[HttpRequest, Parameters], HttpResponse]

WITHIN = 5  # seconds, as `sent_once.js` has it
_LOOKS, _PAUSE = 60, 0.05  # while another thread is at it, and the seconds between them
_AT_WORK = "at work"  # is no address
_LED_TO = "form led to"


def done_once(view: View[Parameters]) -> View[Parameters]:
    """Let a form that is sent again lead where it has led the first time; put it below ``page``.

    One that was refused may be sent again.
    """

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: Parameters.args, **kwargs: Parameters.kwargs) -> HttpResponse:
        key = _key(request)
        if not key:
            return view(request, *args, **kwargs)
        if address := _begin(key):
            return go_to(request, address)
        try:
            response = view(request, *args, **kwargs)
            address = response.headers.get("Location") or response.headers.get("HX-Redirect", "")
        finally:
            _tell(key, address)
        return response

    return guarded


def _key(request: HttpRequest) -> str:
    """What the form is known by; empty for a request that sends none, and for guests.

    Somebody who begins to play without an account gets a cookie with the first answer alone.
    """
    is_form = request.method == "POST" and "csrfmiddlewaretoken" in request.POST
    if not is_form or not request.user.is_authenticated:
        return ""
    form = (request.user.pk, request.get_full_path(), list(request.POST.lists()))
    return "form:" + sha256(repr(form).encode()).hexdigest()


def _begin(key: str) -> str:
    """Where the form has led, once that is known; empty if it is to be done now."""
    for _look in range(_LOOKS):
        if cache.add(key, _AT_WORK, timeout=WITHIN):
            broadcast(_LED_TO, key=key, address=_AT_WORK)
            return ""
        address: str = cache.get(key, _AT_WORK)
        if address != _AT_WORK:
            return address
        sleep(_PAUSE)
    return ""


def _tell(key: str, address: str) -> None:
    _note(key, address)
    broadcast(_LED_TO, key=key, address=address)


@subscribe(_LED_TO)
def _note(key: str, address: str) -> None:
    """Know where a form has led, here or in another process; not one that has led nowhere."""
    if address:
        cache.set(key, address, timeout=WITHIN)
    else:
        cache.delete(key)
