"""What the engine does for members, for Prometheus: how often and how long it thinks, and what fails."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum

from crownhead.server.core.monitoring.metrics import ENGINE_FAILURES, ENGINE_SEARCHES, ENGINE_SECONDS


class Work(StrEnum):
    """What the engine thinks for."""

    REPLY = "reply"  # of a computer, in a game
    ANALYSIS = "analysis"
    REVIEW = "review"


for _work in Work:  # told from the beginning, so that the first failure is seen as a change
    for _counter in (ENGINE_SECONDS, ENGINE_SEARCHES, ENGINE_FAILURES):
        _counter.labels(_work.value)


@contextmanager
def searching(work: Work) -> Iterator[None]:
    """Count a search, and how long it takes, also if it fails."""
    begun = time.perf_counter()
    try:
        yield
    finally:
        ENGINE_SEARCHES.labels(work.value).inc()
        ENGINE_SECONDS.labels(work.value).inc(time.perf_counter() - begun)


@contextmanager
def working(work: Work) -> Iterator[None]:
    """Count the failure of a task, if it fails."""
    try:
        yield
    except Exception:
        ENGINE_FAILURES.labels(work.value).inc()
        raise
