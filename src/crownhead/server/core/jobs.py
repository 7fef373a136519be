"""Repeated jobs: apps register them, the worker runs them."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any


@dataclass(frozen=True, slots=True)
class Job:
    """A repeated job; `run` takes the time and may run in several workers at once."""

    name: str
    every: timedelta
    run: Callable[[datetime], Any]


_jobs: dict[str, Job] = {}


def repeat(name: str, every: timedelta) -> Callable[[Callable[[datetime], Any]], Callable[[datetime], Any]]:
    """Register a function of the time as a repeated job; for an app's `jobs.py`."""

    def register(run: Callable[[datetime], Any]) -> Callable[[datetime], Any]:
        _jobs[name] = Job(name, every, run)
        return run

    return register


def jobs() -> tuple[Job, ...]:
    """All registered jobs."""
    return tuple(_jobs.values())
