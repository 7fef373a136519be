"""Measures every request: counted, timed, with an id, and logged where it was slow."""

import logging
import re
import time
from collections.abc import Callable
from secrets import token_hex

from django.conf import settings
from django.db import connection
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from crownhead.server.core.middleware import is_kept_for_ever
from crownhead.server.core.monitoring.logs import REQUEST
from crownhead.server.core.monitoring.metrics import QUERIES, REQUESTS, SECONDS
from crownhead.server.core.monitoring.security import REFUSALS, record_refusal
from crownhead.server.core.monitoring.statements import Statements

log = logging.getLogger(__name__)

HEADER = "X-Request-ID"
UNKNOWN = "(unknown)"  # an address that no page has: there are too many to tell apart
_ID = re.compile(r"[\w.-]{8,64}")
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

GetResponse = Callable[[HttpRequest], HttpResponseBase]


def measure_requests(get_response: GetResponse) -> GetResponse:
    """Measure what lies below; the first middleware of all."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        name, statements, begun = _id_of(request), Statements(), time.perf_counter()
        token = REQUEST.set(name)
        try:
            with connection.execute_wrapper(statements):
                answer = get_response(request)
            _note(request, answer, statements, time.perf_counter() - begun)
        finally:
            REQUEST.reset(token)
        if not is_kept_for_ever(answer):  # for many requests
            answer.headers[HEADER] = name
        return answer

    return middleware


def _note(request: HttpRequest, answer: HttpResponseBase, statements: Statements, seconds: float) -> None:
    route = UNKNOWN if request.resolver_match is None else f"/{request.resolver_match.route}"
    method = request.method if request.method in _METHODS else "other"
    REQUESTS.labels(method, route, str(answer.status_code)).inc()
    SECONDS.labels(route).observe(seconds)
    QUERIES.labels(route).inc(statements.count)
    if answer.status_code in REFUSALS:
        record_refusal(request, answer, method=method, route=route)
    slow = settings.SLOW_REQUEST_MS
    if slow and seconds * 1000 >= slow:
        _log_slow(method, route, answer.status_code, round(seconds * 1000), statements)


def _log_slow(method: str, route: str, status: int, milliseconds: int, statements: Statements) -> None:
    summary = statements.summary()
    facts = {
        "method": method,
        "route": route,
        "status": status,
        "milliseconds": milliseconds,
        "queries": statements.count,
        "statements": summary,
    }
    log.warning(
        "slow: %s %s took %d ms and %d queries%s",
        method,
        route,
        milliseconds,
        statements.count,
        "".join(f"; {one['milliseconds']} ms, {one['times']} ×: {one['statement']}" for one in summary),
        extra={"facts": facts},
    )


def _id_of(request: HttpRequest) -> str:
    """The id that a proxy of ours has given, else a new one."""
    given = request.headers.get(HEADER, "") if settings.PROXIES else ""
    return given if _ID.fullmatch(given) else token_hex(8)
