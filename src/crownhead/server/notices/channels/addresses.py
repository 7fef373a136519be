"""Where links in mail and push messages lead, and how letters of this club name themselves."""

from __future__ import annotations

from email.utils import parseaddr
from urllib.parse import urlsplit

from django.conf import settings


def address_of(path: str) -> str:
    """A page of the club as somebody reaches it from elsewhere."""
    return f"{site()}{path}"


def site() -> str:
    """The root of the club: the host's setting, else where the server that runs says it is."""
    return str(settings.PUBLIC_ADDRESS or settings.SERVED_AT)


def mail_domain() -> str:
    """The name after the @ in identifiers of messages."""
    _, address = parseaddr(settings.DEFAULT_FROM_EMAIL)
    return address.rpartition("@")[2] or urlsplit(site()).hostname or "localhost"
