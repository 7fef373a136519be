"""Manners of HTTP that several doors share."""

from django.conf import settings
from django.http import HttpRequest


def true_address(*, peer: str, forwarded: str, proxies: int) -> str:
    """The address of the client: the peer's own, or what `proxies` trusted proxies say in X-Forwarded-For.

    Each proxy appends the address it was called from, so the client is the `proxies`-th entry from the right;
    whatever stands further left was written by the client and is not believed.
    """
    if not proxies or not forwarded:
        return peer
    entries = [entry.strip() for entry in forwarded.split(",")]
    return entries[-min(proxies, len(entries))] or peer


def site_of(request: HttpRequest) -> str:
    """The address of the club for links in mail: the host's setting, or as the visitor wrote it."""
    return settings.PUBLIC_ADDRESS or request.build_absolute_uri("/").rstrip("/")


def client_address(request: HttpRequest) -> str:
    """The address that made this request; "unknown" on a socket that has none."""
    peer = request.META.get("REMOTE_ADDR") or "unknown"
    return true_address(
        peer=peer, forwarded=request.META.get("HTTP_X_FORWARDED_FOR", ""), proxies=settings.PROXIES
    )
