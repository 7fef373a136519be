"""Rate limits per user or address; the rates are settings."""

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja.throttling import BaseThrottle

from crownhead.server.core import clock
from crownhead.server.core.http import client_address, household
from crownhead.server.core.problems import TooMany
from crownhead.server.core.rates import parse_rate


def spend(*, scope: str, who: str, amount: int = 1) -> None:
    """Count one action of `who`, or so much of it; raises `TooMany` once the rate of the scope is used up."""
    if wait := _wait(scope=scope, who=who, amount=amount):
        raise TooMany(_("try again in %(wait)s seconds") % {"wait": wait}, seconds=wait)


def spend_text(*, user_id: int, text: str, before: str) -> None:
    """Count the saving of a text in Markdown, which is rendered then; raises `TooMany`.

    Nothing at all, or what stood there `before`, costs nothing.
    """
    if text.strip() not in {"", before.strip()}:
        spend(scope="texts", who=f"user:{user_id}")


def caller(request: HttpRequest) -> str:
    """Whom a request counts for: the user if there is one, else the address."""
    user = getattr(request, "auth", None) or getattr(request, "user", None)
    return f"user:{user.pk}" if user is not None and user.pk else address(request)


def address(request: HttpRequest) -> str:
    """The client's IPv4 address, or the /64 network of an IPv6 one, which is a single household."""
    return f"address:{household(client_address(request))}"


class Limit(BaseThrottle):
    """A throttle for the routers of the API: `Router(throttle=Limit("moves"))`."""

    def __init__(self, scope: str) -> None:
        self.scope = scope
        self._wait = 0

    def allow_request(self, request: HttpRequest) -> bool:
        """Count the request; whether it is allowed."""
        self._wait = _wait(scope=self.scope, who=caller(request))
        return not self._wait

    def wait(self) -> float | None:
        """Seconds until the caller may try again."""
        return self._wait


def _wait(*, scope: str, who: str, amount: int = 1) -> int:
    """Count an action and return the seconds to wait: 0 while the rate is not used up."""
    rate = parse_rate(settings.LIMITS[scope])
    if rate is None:
        return 0
    now = int(clock.now().timestamp())
    window = now // rate.seconds
    key = f"limit:{scope}:{window}:{who}"
    cache.add(key, 0, timeout=rate.seconds)
    try:
        count = cache.incr(key, amount)
    except ValueError:  # evicted between the two calls: start a new count
        count = amount
    return 0 if count <= rate.times else (window + 1) * rate.seconds - now
