"""Addresses of clients and of the site, from requests; what answers other sites may use."""

from collections.abc import Mapping
from datetime import timedelta
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any
from urllib.parse import urlsplit
from wsgiref.headers import Headers

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.http.request import split_domain_port

FOR_EVERY_SITE: Mapping[str, str] = {
    "Access-Control-Allow-Origin": "*",
    "Cross-Origin-Resource-Policy": "cross-origin",
}
"""The headers of what pages of other sites may load: it is public, and the same for everybody."""

MAX_COOKIES = 8192
"""Characters of the Cookie header: as many as proxies commonly pass on."""

MAX_TAGS = 1024
"""Characters of If-Match and If-None-Match: a browser names one tag of ours, or a few."""

_OF_RULES_AND_ENGINE = ("/crownhead/js/rules/", "/crownhead/wasm/")
_MAX_DIGITS = 18  # of what a database counts
_USUAL_PORTS = {"http": 80, "https": 443}


def address_behind_proxies(*, peer: str, forwarded: str, proxies: int) -> str:
    """The address of the client: the peer, or what `proxies` trusted proxies say in X-Forwarded-For.

    Each proxy appends the address it was called from, so the client is the `proxies`-th entry from the right;
    anything further left was written by the client and is not trusted.
    """
    if not proxies or not forwarded:
        return peer
    entries = [entry.strip() for entry in forwarded.split(",")]
    return entries[-min(proxies, len(entries))] or peer


def household(address: str) -> str:
    """What limits count an address as: an IPv4 address whole, an IPv6 one by its /64, which is one household.

    A text that is no address stands for itself.
    """
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        return str(parsed.ipv4_mapped or ip_network((parsed, 64), strict=False).network_address)
    return str(parsed)


def site_network(address: str) -> str:
    """The /48 of an IPv6 address, in which one customer may have many households; empty for any other."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return ""
    return str(ip_network((parsed, 48), strict=False)) if isinstance(parsed, IPv6Address) else ""


def calling_household(scope: Mapping[str, Any], *, proxies: int) -> str:
    """The household that an ASGI request comes from; a header that comes in pieces is one list."""
    forwarded = b",".join(value for name, value in scope["headers"] if name.lower() == b"x-forwarded-for")
    peer = (scope.get("client") or ("unknown", 0))[0]
    return household(
        address_behind_proxies(peer=peer, forwarded=forwarded.decode("latin-1"), proxies=proxies)
    )


def read_cookies(header: str) -> dict[str, str]:
    """The cookies of a header by name, as Django reads them, but without those that escape characters.

    None of ours does, and Python takes time in the square of their length to read them.
    """
    pairs = (chunk.partition("=") for chunk in header.split(";") if "\\" not in chunk)
    return {name.strip(): value.strip() for name, _, value in pairs if name.strip()}


def set_private_cookie(response: HttpResponseBase, name: str, value: str, *, max_age: timedelta) -> None:
    """Set a cookie that no script reads and no other site's form sends; over HTTPS where possible."""
    response.set_cookie(
        name,
        value,
        max_age=max_age,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def whole_number(text: str) -> int | None:
    """Return the number in a form or an address, such as a primary key; None if it is none, or too large."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _MAX_DIGITS else None


def site_address(request: HttpRequest) -> str:
    """The address of the site for links in mail: the setting, or the address of the request.

    A request may name any port, also one at which somebody else listens; it counts only if it is our own.
    """
    if settings.PUBLIC_ADDRESS:
        return settings.PUBLIC_ADDRESS
    return request.build_absolute_uri("/").rstrip("/") if names_our_host(request) else settings.SERVED_AT


def names_our_host(request: HttpRequest) -> bool:
    """Whether the host that a request names has no port but our own, and is spelled as a browser does."""
    named = request.get_host()
    domain, _port = split_domain_port(named)
    public = urlsplit(settings.PUBLIC_ADDRESS)
    usual = f"{public.hostname}:{_USUAL_PORTS.get(public.scheme)}"  # some proxies add it
    return named in {domain, f"{domain}:{request.get_port()}", public.netloc, usual}


def client_address(request: HttpRequest) -> str:
    """The address of the client; "unknown" for a socket without one."""
    peer = request.META.get("REMOTE_ADDR") or "unknown"
    return address_behind_proxies(
        peer=peer, forwarded=request.META.get("HTTP_X_FORWARDED_FOR", ""), proxies=settings.PROXIES
    )


def share_rules_and_engine(headers: Headers, _path: str, url: str) -> None:
    """Let pages of other sites load the modules of rules and engine, of all static files."""
    if is_for_every_site(url):
        for name, value in FOR_EVERY_SITE.items():
            headers[name] = value


def is_for_every_site(url: str) -> bool:
    """Whether a static file is one of the modules of rules and engine."""
    return any(folder in url for folder in _OF_RULES_AND_ENGINE)
