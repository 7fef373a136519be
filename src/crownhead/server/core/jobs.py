"""Work that comes again and again: apps name it, the worker does it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any


@dataclass(frozen=True, slots=True)
class Job:
    """Something to do again and again; `run` takes the time and is safe to repeat, in several workers."""

    name: str
    every: timedelta
    run: Callable[[datetime], Any]


_named: dict[str, Job] = {}


def repeat(name: str, every: timedelta) -> Callable[[Callable[[datetime], Any]], Callable[[datetime], Any]]:
    """Have a function called with the time, again and again; for an app's `jobs.py`."""

    def register(run: Callable[[datetime], Any]) -> Callable[[datetime], Any]:
        _named[name] = Job(name, every, run)
        return run

    return register


def jobs() -> tuple[Job, ...]:
    """All that the apps have named."""
    return tuple(_named.values())
