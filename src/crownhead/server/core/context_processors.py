"""Variables for every template."""

from django.conf import settings
from django.http import HttpRequest


def club(_request: HttpRequest) -> dict[str, str]:
    """The name of the site."""
    return {"club_name": settings.CLUB_NAME}
