"""Rate limits per user or address; the rates are settings."""

import math

from django.conf import settings
from django.core.cache import BaseCache, caches
from django.http import HttpRequest
from django.utils.translation import ngettext

from crownhead.server.core import clock
from crownhead.server.core.http import client_address, household
from crownhead.server.core.problems import TooMany
from crownhead.server.core.processes.neighbours import broadcast, subscribe
from crownhead.server.core.rates import Rate, parse_rate
from crownhead.server.core.texts import is_as_before

_SPENT = "spent"
_MINUTE, _HOUR = 60, 3600  # in seconds
_SHORT = 2  # of a unit: up to so many of it, a wait is told in the next smaller one


def spend(*, scope: str, who: str, amount: int = 1) -> None:
    """Count one action of `who`, or so much of it; raises `TooMany` once the rate of the scope is used up."""
    if wait := seconds_to_wait(scope=scope, who=who, amount=amount):
        raise too_many(wait)


def too_many(seconds: int) -> TooMany:
    """The problem of a rate that is used up for so long, in the largest unit of time that tells enough."""
    count = seconds
    text = ngettext("Try again in %(count)s second.", "Try again in %(count)s seconds.", count)
    if seconds > _SHORT * _MINUTE:
        count = math.ceil(seconds / _MINUTE)
        text = ngettext("Try again in %(count)s minute.", "Try again in %(count)s minutes.", count)
    if seconds > _SHORT * _HOUR:
        count = math.ceil(seconds / _HOUR)
        text = ngettext("Try again in %(count)s hour.", "Try again in %(count)s hours.", count)
    return TooMany(text % {"count": count}, seconds=seconds)


def spend_text(*, user_id: int, text: str, before: str) -> None:
    """Count the saving of a text in Markdown, which is rendered then; raises `TooMany`.

    Nothing at all, or what stood there `before`, costs nothing.
    """
    if not is_as_before(text, before):
        spend(scope="texts", who=f"user:{user_id}")


def spend_pages(request: HttpRequest, length: int, each: int) -> None:
    """Count what takes as long as several pages, for guests by their address; raises `TooMany`.

    ``each``: how much of its length takes as long as a page. It counts as so many pages.
    """
    pages = length // each
    if pages:
        spend(scope="pages", who=caller(request), amount=pages)


def caller(request: HttpRequest) -> str:
    """Whom a request counts for: the user if there is one, else the address."""
    user = getattr(request, "auth", None) or getattr(request, "user", None)
    return f"user:{user.pk}" if user is not None and user.pk else address(request)


def address(request: HttpRequest) -> str:
    """The client's IPv4 address, or the /64 network of an IPv6 one, which is a single household."""
    return f"address:{household(client_address(request))}"


def seconds_to_wait(*, scope: str, who: str, amount: int = 1) -> int:
    """Count an action and return the seconds to wait: 0 while the rate is not used up."""
    rate = parse_rate(settings.LIMITS[scope])
    if rate is None:
        return 0
    key, seconds = _window(rate, scope, who)
    count = _count(key, amount, rate.seconds)
    broadcast(_SPENT, key=key, amount=amount, seconds=rate.seconds)
    return 0 if count <= rate.times else seconds


def seconds_until_free(*, scope: str, who: str) -> int:
    """The seconds to wait before an action that isn't counted yet: 0 while the rate is not used up."""
    rate = parse_rate(settings.LIMITS[scope])
    if rate is None:
        return 0
    key, seconds = _window(rate, scope, who)
    return 0 if _kept_in(key).get(key, 0) < rate.times else seconds


def _window(rate: Rate, scope: str, who: str) -> tuple[str, int]:
    """The key of the count that goes on now, and for how many seconds it does."""
    now = clock.now()
    window, end = rate.span(now)
    return f"limit:{scope}:{window}:{who}", math.ceil((end - now).total_seconds())


@subscribe(_SPENT)
def _note_spent(key: str, amount: int, seconds: int) -> None:
    """Count what another process has allowed."""
    _count(key, amount, seconds)


def _count(key: str, amount: int, seconds: int) -> int:
    """Add to a count, which ends with its window; returns it."""
    cache = _kept_in(key)
    cache.add(key, 0, timeout=seconds)
    try:
        count: int | None = cache.incr(key, amount)
    except ValueError:  # evicted between the two calls: start a new count
        count = None
    return amount if count is None else count


def _kept_in(key: str) -> BaseCache:
    """The cache of a count: however many addresses call, they push no member's out."""
    who = key.split(":", 3)[3]
    return caches["member_limits" if who.startswith("user:") else "limits"]
