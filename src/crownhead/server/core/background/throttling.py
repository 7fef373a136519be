"""Throttles the work of the background, so that pages come first however much of it there is."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")

SHARE = 0.25  # of the time that work in the background may take
LONGEST_REST = 1.0  # seconds


class _Background(threading.local):
    """Whether this thread works beside pages, which come first."""

    rests: Callable[[float], object] | None = None


_background = _Background()


@contextmanager
def in_background(rests: Callable[[float], object] = time.sleep) -> Iterator[None]:
    """Let `throttled` rest in this thread; ``rests`` takes the seconds."""
    before, _background.rests = _background.rests, rests
    try:
        yield
    finally:
        _background.rests = before


def throttled(items: Iterable[T]) -> Iterator[T]:
    """The items, with a rest after the work on each that leaves the processor and the database to pages."""
    for item in items:
        begun = time.monotonic()
        yield item
        rest(time.monotonic() - begun)


def while_there_is_time(items: Iterable[T], seconds: float) -> Iterator[T]:
    """The items, in the background only those that are begun within so many seconds, but at least one."""
    ends = time.monotonic() + seconds
    for number, item in enumerate(items):
        if number and _background.rests is not None and time.monotonic() > ends:
            return
        yield item


def rest(worked: float) -> None:
    """Rest after so many seconds of work, if this thread works in the background."""
    if _background.rests is not None:
        _background.rests(min(worked * (1 / SHARE - 1), LONGEST_REST))
