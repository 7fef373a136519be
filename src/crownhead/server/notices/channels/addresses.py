"""Absolute links in e-mail and push messages, and the domain of message identifiers."""

from __future__ import annotations

from email.utils import parseaddr
from urllib.parse import urlsplit

from django.conf import settings


def absolute_url(path: str) -> str:
    """Return the absolute address of a page."""
    return f"{site()}{path}"


def site() -> str:
    """Return the root address of the club, from the settings or the running server."""
    return str(settings.PUBLIC_ADDRESS or settings.SERVED_AT)


def mail_domain() -> str:
    """Return the name after the @ in message identifiers."""
    _, address = parseaddr(settings.DEFAULT_FROM_EMAIL)
    return address.rpartition("@")[2] or urlsplit(site()).hostname or "localhost"
