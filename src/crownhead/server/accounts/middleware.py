"""Middleware: pages in a member's language and time zone, and the note that he is here."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone, translation

from crownhead.server.accounts.models import User
from crownhead.server.accounts.selectors import preferences_of
from crownhead.server.accounts.services.presence import note_presence
from crownhead.server.core import clock

GetResponse = Callable[[HttpRequest], HttpResponseBase]


def as_the_member_likes(get_response: GetResponse) -> GetResponse:
    """Times are written in the member's zone, and texts in his language where he chose one."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if not isinstance(request.user, User):
            return get_response(request)
        chosen = preferences_of(request.user)
        with ExitStack() as stack:
            if zone := _zone(chosen.time_zone):
                stack.enter_context(timezone.override(zone))
            if chosen.language and chosen.language in dict(settings.LANGUAGES):
                translation.activate(chosen.language)  # for what runs after us too; each request begins anew
                request.LANGUAGE_CODE = chosen.language
            return get_response(request)

    return middleware


def note_who_is_here(get_response: GetResponse) -> GetResponse:
    """Whoever made a request, by a session or a token, is here."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        answer = get_response(request)
        for user in (getattr(request, "auth", None), request.user):
            if isinstance(user, User) and user.pk:
                note_presence(user=user, now=clock.now())
                break
        return answer

    return middleware


def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError):  # it was dropped from the database of zones since
        return None
