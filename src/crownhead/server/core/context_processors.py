"""What every template may know."""

from django.conf import settings
from django.http import HttpRequest


def club(_request: HttpRequest) -> dict[str, str]:
    """The club's own name."""
    return {"club_name": settings.CLUB_NAME}
