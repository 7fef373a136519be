"""Middleware: pages in the user's language and time zone, and noting who is online."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack

from django.conf import settings
from django.contrib.auth import middleware as authentication
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone, translation
from django.utils.functional import SimpleLazyObject

from crownhead.server.accounts.guests.access import guest_of
from crownhead.server.accounts.models import User
from crownhead.server.accounts.security.access import act_as_proven
from crownhead.server.accounts.selectors import preferences_of, zone_of
from crownhead.server.accounts.services.presence import note_presence
from crownhead.server.core import clock

GetResponse = Callable[[HttpRequest], HttpResponseBase]


class AuthenticationMiddleware(authentication.AuthenticationMiddleware):
    """Django's; a session that has shown no second factor is that of a member where staff need one."""

    def process_request(self, request: HttpRequest) -> None:
        """Give the request its user, who is read when somebody asks."""
        super().process_request(request)
        request.user = SimpleLazyObject(  # type: ignore[assignment]
            lambda: act_as_proven(authentication.get_user(request), request.session)
        )


def activate_preferences(get_response: GetResponse) -> GetResponse:
    """Activate the user's time zone and language."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if not isinstance(request.user, User):
            return get_response(request)
        chosen = preferences_of(request.user)
        with ExitStack() as stack:
            if zone := zone_of(request.user):
                stack.enter_context(timezone.override(zone))
            if chosen.language and chosen.language in dict(settings.LANGUAGES):
                translation.activate(chosen.language)  # also for what runs after us; each request starts over
                request.LANGUAGE_CODE = chosen.language
            return get_response(request)

    return middleware


def track_presence(get_response: GetResponse) -> GetResponse:
    """Note that a user made a request, by a session or a token, or a guest who plays."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        answer = get_response(request)
        for user in (getattr(request, "auth", None), request.user, guest_of(request)):
            if isinstance(user, User) and user.pk:
                note_presence(user=user, now=clock.now())
                break
        return answer

    return middleware
