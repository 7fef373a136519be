"""The floor under a request: the least that a move by a form can cost in Django, with the club's database.

Session and CSRF token are checked, the row of a game is read, a row is inserted, the game's row changed if it
still is as it was read, and all of that committed. No rules, no page, no other middleware.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.test import override_settings
from django.urls import path

from crownhead.server.core import clock
from crownhead.server.live.models import Outbox
from crownhead.server.play.models import Game

MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
]


def submit(request: HttpRequest, public_id: str) -> HttpResponse:
    """Note that there was a move, and nothing else."""
    if not request.user.is_authenticated:
        return HttpResponse(status=403)
    now = clock.now()
    with transaction.atomic():
        game = Game.objects.get(public_id=public_id)
        Outbox.objects.create(topic="floor", kind="floor", payload={"move": "11-15"}, created_at=now)
        rows = Game.objects.filter(pk=game.pk, version=game.version)
        if not rows.update(last_moved_at=now):
            return HttpResponse(status=409)
    return HttpResponse("made", content_type="text/plain")


urlpatterns = [path("floor/<slug:public_id>/", submit)]


def floor_application() -> Any:
    """A WSGI application with the floor alone; it sees the settings of the club but for the middleware."""
    with override_settings(MIDDLEWARE=MIDDLEWARE):
        handler = WSGIHandler()

    def application(environ: dict[str, Any], start_response: Any) -> Any:
        settings.ROOT_URLCONF, before = __name__, settings.ROOT_URLCONF
        try:
            return handler(environ, start_response)
        finally:
            settings.ROOT_URLCONF = before

    return application
