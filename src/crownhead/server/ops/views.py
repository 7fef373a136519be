"""The health check, addresses that programs know by heart, and the answer to requests that Django rejects."""

import sys
from datetime import UTC, timedelta

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.exceptions import DisallowedHost
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.views import defaults
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from crownhead.server.core import clock
from crownhead.server.core.http import site_address
from crownhead.server.core.problems import RETRY_AFTER, is_away
from crownhead.server.ops.processes import leaving, timekeeper

VALID_FOR = timedelta(days=180)  # RFC 9116 advises less than a year


@never_cache
@require_safe
def health(_request: HttpRequest) -> JsonResponse:
    """200 while the site is ready: it can read its database and write to it, and is to stay; else 503."""
    if leaving.is_leaving():
        return _not_ready("stopping")
    try:
        get_user_model().objects.exists()
    except DatabaseError:
        return _not_ready("no database")
    return _not_ready("cannot write") if timekeeper.is_in_trouble() else JsonResponse({"status": "ok"})


@never_cache
@require_safe
def live(_request: HttpRequest) -> JsonResponse:
    """200 while the process answers, whatever else is away."""
    return JsonResponse({"status": "ok"})


def server_error(request: HttpRequest) -> HttpResponse:
    """The answer to an error of ours; 503 while the database is away, to be tried again."""
    if not is_away(sys.exc_info()[1]):
        return defaults.server_error(request)
    headers = {"Retry-After": str(RETRY_AFTER)}
    return HttpResponse(render_to_string("503.html"), status=503, headers=headers)


def _not_ready(status: str) -> JsonResponse:
    return JsonResponse({"status": status}, status=503, headers={"Retry-After": str(RETRY_AFTER)})


@require_safe
def security_txt(request: HttpRequest) -> HttpResponse:
    """Where to report a hole (RFC 9116): the host's address for that, or the page of letters to the staff.

    404 where neither will do: pages count only by https.
    """
    site = site_address(request)
    contact = settings.SECURITY_CONTACT or f"{site}{reverse('social:contact')}"
    if contact.startswith("http:"):
        return HttpResponse("This site has no security.txt.\n", status=404, content_type="text/plain")
    expires = (clock.now().astimezone(UTC) + VALID_FOR).replace(hour=0, minute=0, second=0, microsecond=0)
    fields = [
        ("Contact", contact),
        ("Expires", f"{expires:%Y-%m-%dT%H:%M:%SZ}"),
        ("Preferred-Languages", ", ".join(code for code, _name in settings.LANGUAGES)),
    ]
    if site.startswith("https:"):
        fields.append(("Canonical", f"{site}{request.path}"))
    text = "".join(f"{name}: {value}\n" for name, value in fields)
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


@require_safe
def change_password(_request: HttpRequest) -> HttpResponse:
    """Lead password managers to the page on which passwords are changed (W3C, change-password)."""
    return redirect("account_change_password")


def bad_request(_request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request that Django rejects, most often because of an unknown host name."""
    message = "Bad request."
    if isinstance(exception, DisallowedHost):
        message = (
            "This site doesn't know the host name in the address. "
            "If you run the site, add the name to `hosts` in settings.toml, or set `address`."
        )
    return HttpResponse(f"{message}\n", status=400, content_type="text/plain; charset=utf-8")
