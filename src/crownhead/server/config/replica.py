"""A replica of the database, from which pages are read for people who have no session.

Those have written nothing that they could miss. For a page of theirs the replica takes the place of the
database in this thread, so that selectors, prepared queries and cached pages need not know. Parts that a page
fetches come from the primary, for they must not be older than the event that made the page fetch them. What
the replica doesn't have yet, or fails to answer, the primary is asked again.
Where Django is replaced: decision 63.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from crownhead.server.core import clock
from crownhead.server.play.outages.selectors import last_beat

REPLICA = "replica"
LOOKED_AT_EVERY = 1.0  # seconds
_BY_PRIMARY = "crownhead.by_primary"  # of a request: the replica could not answer it


class ReplicaMiddleware:
    """Read the pages of people without a session from the replica, while it is not far behind."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        if REPLICA not in settings.DATABASES:
            raise MiddlewareNotUsed
        self._get_response = get_response
        self._is_fit, self._looked_at = False, -LOOKED_AT_EVERY

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        primary = connections[DEFAULT_DB_ALIAS]
        try:
            answer = self._get_response(request)
            was_replica = connections[DEFAULT_DB_ALIAS] is not primary
        finally:
            _put_back(primary)
        if was_replica and (answer.status_code == 404 or answer.status_code >= 500):
            request.META[_BY_PRIMARY] = True
            self._is_fit = self._is_fit and answer.status_code == 404
            answer = self._get_response(request)
        return answer

    def process_view(self, request: HttpRequest, view: Callable[..., Any], *_arguments: Any) -> None:
        """Put the replica in the place of the primary for a page that it may answer."""
        if getattr(view, "is_page", False) and _is_visit_of_nobody(request) and self._may_be_read():
            _put_in_place(connections[REPLICA])

    def _may_be_read(self) -> bool:
        """Whether the replica was there a moment ago, with a sign of life that is not too old."""
        now = time.monotonic()
        if now - self._looked_at >= LOOKED_AT_EVERY:
            self._looked_at, self._is_fit = now, _is_fit()
        return self._is_fit


def _is_fit() -> bool:
    try:
        with _read_from(connections[REPLICA]):
            beat = last_beat()
    except DatabaseError:
        connections[REPLICA].close()
        return False
    return beat is not None and clock.now() - beat <= timedelta(seconds=settings.DATABASE_REPLICA_SECONDS)


def _is_visit_of_nobody(request: HttpRequest) -> bool:
    """Whether somebody without a session goes to a page, and it is no part that a page fetches."""
    return (
        request.method in {"GET", "HEAD"}
        and _BY_PRIMARY not in request.META
        and settings.SESSION_COOKIE_NAME not in request.COOKIES
        and request.headers.get("Sec-Fetch-Mode", "navigate") == "navigate"
        and "HX-Request" not in request.headers
    )


@contextmanager
def _read_from(replica: BaseDatabaseWrapper) -> Iterator[None]:
    primary = connections[DEFAULT_DB_ALIAS]
    _put_in_place(replica)
    try:
        yield
    finally:
        _put_back(primary)


def _put_in_place(replica: BaseDatabaseWrapper) -> None:
    replica.execute_wrappers = connections[DEFAULT_DB_ALIAS].execute_wrappers  # which count and note queries
    connections[DEFAULT_DB_ALIAS] = replica


def _put_back(primary: BaseDatabaseWrapper) -> None:
    if connections[DEFAULT_DB_ALIAS] is not primary:
        connections[DEFAULT_DB_ALIAS].execute_wrappers = []
        connections[DEFAULT_DB_ALIAS] = primary
