"""Work on many rows, each by itself: one that cannot be seen to is logged, and holds up no other."""

import logging
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from crownhead.server.core.background.throttling import throttled

log = logging.getLogger(__name__)

T = TypeVar("T")


def one_by_one(
    items: Iterable[T],
    step: Callable[[T], int | None],
    *,
    failing: str,
    failed: Callable[[T], Any] | None = None,
) -> int:
    """Call a function with each item, with the rests of `throttled`; returns the sum of what it returned.

    ``failing``: what the log says of an item that raised, with one ``%s`` for it; ``failed`` gets the item.
    """
    done = 0
    for item in throttled(items):
        try:
            done += step(item) or 0
        except Exception:
            log.exception(failing, item)
            if failed is not None:
                failed(item)
    return done
