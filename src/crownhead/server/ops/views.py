"""The health check, and the answer to requests that Django rejects."""

from django.contrib.auth import get_user_model
from django.core.exceptions import DisallowedHost
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


@never_cache
@require_safe
def health(_request: HttpRequest) -> JsonResponse:
    """200 while the site is up and can read its database, else 503."""
    try:
        get_user_model().objects.exists()
    except DatabaseError:
        return JsonResponse({"status": "no database"}, status=503)
    return JsonResponse({"status": "ok"})


def bad_request(_request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request that Django rejects, most often because of an unknown host name."""
    message = "Bad request."
    if isinstance(exception, DisallowedHost):
        message = (
            "This site doesn't know the host name in the address. "
            "If you run the site, add the name to `hosts` in settings.toml, or set `address`."
        )
    return HttpResponse(f"{message}\n", status=400, content_type="text/plain; charset=utf-8")
