"""Middleware: noting from which address and with which browser members act."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.http import set_private_cookie
from crownhead.server.core.limits import address
from crownhead.server.fair_play.choices import Trace
from crownhead.server.fair_play.services import KEPT, note_sighting

GetResponse = Callable[[HttpRequest], HttpResponseBase]
_READS = frozenset({"GET", "HEAD", "OPTIONS"})
_LONGEST = 64


def note_sightings(get_response: GetResponse) -> GetResponse:
    """Note the address and the browser of members who do something; reading leaves no trace."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        answer = get_response(request)
        if request.method in _READS:
            return answer
        by_token = getattr(request, "auth", None)
        user = by_token or getattr(request, "user", None)
        if isinstance(user, User) and user.is_active:
            now = clock.now()
            note_sighting(user=user, trace=Trace.ADDRESS, value=address(request), now=now)
            if by_token is None:
                device = request.COOKIES.get(settings.BROWSER_COOKIE_NAME, "")[
                    :_LONGEST
                ] or secrets.token_urlsafe(16)
                note_sighting(user=user, trace=Trace.DEVICE, value=device, now=now)
                set_private_cookie(answer, settings.BROWSER_COOKIE_NAME, device, max_age=KEPT)
        return answer

    return middleware
