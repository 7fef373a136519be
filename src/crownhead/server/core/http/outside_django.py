"""What Django would check and add, for answers made without it: the event stream, and refused requests."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.utils.translation import gettext as _

from crownhead.server.core.problems import BadRequest, without_https

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]

# Nothing that is answered so is a page: it may load nothing, and stand in no frame.
_HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
]


class _Asked(HttpRequest):
    """As much of a request as Django asks for its host and its scheme."""

    def __init__(self, scope: Scope) -> None:
        super().__init__()
        host, port = scope.get("server") or ("localhost", 80)
        self.META = {"SERVER_NAME": host, "SERVER_PORT": str(port or 0)}
        for name in ("host", "x-forwarded-host", "x-forwarded-port", "x-forwarded-proto"):
            values = [value for header, value in scope["headers"] if header.lower() == name.encode()]
            if values:
                self.META[f"HTTP_{name.upper().replace('-', '_')}"] = b",".join(values).decode("latin-1")
        self._scheme = str(scope.get("scheme", "http"))

    def _get_scheme(self) -> str:
        return self._scheme


def expect_own_host_and_https(scope: Scope) -> None:
    """Raise a ``Problem`` for another site's host, or without HTTPS where pages are sent by HTTPS alone."""
    request = _Asked(scope)
    try:
        request.get_host()
    except DisallowedHost:
        raise BadRequest(_("The Host header does not name this site.")) from None
    if settings.SECURE_SSL_REDIRECT and not request.is_secure():
        raise without_https()


def safe_headers(scope: Scope) -> list[tuple[bytes, bytes]]:
    """The headers of safety of an answer; that browsers come back by HTTPS alone is said by HTTPS alone."""
    if settings.SECURE_HSTS_SECONDS and _Asked(scope).is_secure():
        return [*_HEADERS, (b"strict-transport-security", b"max-age=%d" % settings.SECURE_HSTS_SECONDS)]
    return _HEADERS


def with_safe_headers(scope: Scope, send: Send) -> Send:
    """The same as ``send``, which adds them to the head of the answer."""

    def sent(message: Message) -> Awaitable[None]:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message["headers"], *safe_headers(scope)]}
        return send(message)

    return sent
