"""What a monitor asks, and what a host must hear."""

from django.core.exceptions import DisallowedHost
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


@never_cache
@require_safe
def health(_request: HttpRequest) -> JsonResponse:
    """Whether the club is up and can read its database: 200, or 503."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT COUNT(*) FROM django_migrations")
    except DatabaseError:
        return JsonResponse({"status": "no database"}, status=503)
    return JsonResponse({"status": "ok"})


def bad_request(_request: HttpRequest, exception: Exception) -> HttpResponse:
    """A request that Django refuses to look at; most often it asks for a host that is not this one."""
    sentence = "This request cannot be read."
    if isinstance(exception, DisallowedHost):
        sentence = (
            "The club does not answer to the name it was asked for. "
            "If you are its host, add the name to `hosts` in settings.toml, or set `address`."
        )
    return HttpResponse(f"{sentence}\n", status=400, content_type="text/plain; charset=utf-8")
