"""Deletes what closed accounts have left in the apps above, a few rows at a time.

Nobody sees it any more; a request that deleted it all at once would hold up everybody who writes.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from crownhead.server.accounts import selectors
from crownhead.server.core.background.one_by_one import one_by_one
from crownhead.server.core.jobs import sweep

log = logging.getLogger(__name__)

MOST = 1000  # accounts that one run sees to; the next run goes on
LATE = selectors.CLOSED_LATELY - timedelta(days=10)


def closed_with(rows: QuerySet[Any], *, now: datetime, user: str = "user") -> Iterator[int]:
    """The accounts closed lately that have some of these rows, those closed first at the beginning.

    ``user``: the way from a row to its account. When all have been seen to, the log warns of rows that are
    still there so long afterwards that soon no job will look for them.
    """
    having = rows.filter(**{user: OuterRef("pk")})
    found = selectors.closed_lately(now).filter(Exists(having)).values_list("pk", "closed_at")
    closed = dict(found[:MOST])
    yield from closed
    late = [key for key, at in closed.items() if at is not None and at < now - LATE]
    if late and rows.filter(**{f"{user}__in": late}).exists():
        log.warning(
            "%s: rows of accounts closed %s days ago cannot be deleted; after %s days nothing tries to",
            rows.model._meta.label,
            LATE.days,
            selectors.CLOSED_LATELY.days,
        )


def sweep_closed(rows: QuerySet[Any], *, now: datetime, user: str = "user") -> int:
    """Delete these rows of the accounts closed lately; returns how many. Safe in several workers."""
    return one_by_one(
        closed_with(rows, now=now, user=user),
        lambda key: sweep(rows.filter(**{user: key})),
        failing="what the closed account %s has left cannot be deleted",
    )
