"""URLs of PostgreSQL, also of several servers one of which can be written to."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit, urlunsplit

import dj_database_url

from crownhead.server.core.hosting.options import BadOption

# The URL itself is not repeated: it holds a password.
_EXPECTED = "database: expected something like postgres://name:password@host:5432/club"


def postgresql_at(url: str) -> dict[str, Any]:
    """Django's settings for the server or servers that a URL names; raises `BadOption`.

    Of several hosts (``a:5432,b:5432``) the one that can be written to is meant, unless the URL says
    otherwise.
    """
    try:
        parts = urlsplit(url)
        login, at, place = parts.netloc.rpartition("@")
        hosts = place.split(",")
        several = [host.partition(":")[::2] for host in hosts] if len(hosts) > 1 else []
        if several:
            url = urlunsplit(parts._replace(netloc=f"{login}{at}several"))
        settings: dict[str, Any] = {**dj_database_url.parse(url)}
    except (ValueError, KeyError) as error:
        raise BadOption(_EXPECTED) from error
    if settings.get("ENGINE") != "django.db.backends.postgresql" or not settings.get("NAME"):
        raise BadOption(_EXPECTED)
    if several:
        if not all(name and (not port or port.isdigit()) for name, port in several):
            raise BadOption(_EXPECTED)
        settings["HOST"] = ",".join(name for name, _port in several)
        settings["PORT"] = ",".join(port or "5432" for _name, port in several)
        settings["OPTIONS"] = {"target_session_attrs": "read-write", **settings.get("OPTIONS", {})}
    return settings
