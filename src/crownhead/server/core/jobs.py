"""Repeated jobs: apps register them, the worker runs them; and how they delete what has had its time."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet

from crownhead.server.core.batches import batched

AT_ONCE = 500  # rows deleted in one transaction
MOST = 100_000  # rows deleted in one run; the next one goes on
_PAUSE = 0.005  # seconds between two transactions, in which others have their turn


@dataclass(frozen=True, slots=True)
class Job:
    """A repeated job; `run` takes the time and may run in several workers at once.

    ``lasts``: whether it may take long, so that deadlines must not wait for it. What acts before a deadline
    doesn't last: it must not come after the deadlines itself.
    """

    name: str
    every: timedelta
    run: Callable[[datetime], Any]
    lasts: bool = False


_jobs: dict[str, Job] = {}


def repeat(
    name: str, every: timedelta, *, lasts: bool = False
) -> Callable[[Callable[[datetime], Any]], Callable[[datetime], Any]]:
    """Register a function of the time as a repeated job; for an app's `jobs.py`. ``lasts``: see ``Job``."""

    def register(run: Callable[[datetime], Any]) -> Callable[[datetime], Any]:
        _jobs[name] = Job(name, every, run, lasts)
        return run

    return register


def jobs() -> tuple[Job, ...]:
    """All registered jobs."""
    return tuple(_jobs.values())


def sweep(rows: QuerySet[Any]) -> int:
    """Delete rows with what hangs on them, a few at once, so that nobody who writes has to wait for long.

    Returns how many there were. One that has changed meanwhile stays.
    """
    keys = list(rows.order_by().values_list("pk", flat=True)[:MOST])
    for number, some in enumerate(batched(keys, AT_ONCE)):
        if number:
            time.sleep(_PAUSE)
        rows.filter(pk__in=some).delete()
    return len(keys)
