"""How much work capture searches may make for a caller that answers strangers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from crownhead import _kernel


@contextmanager
def capture_budget(nodes: int) -> Iterator[None]:
    """Let the capture searches of this thread visit at most ``nodes`` nodes in all while it lasts.

    Beyond that, positions with captures raise ``TooManyCaptures``. A node that has to be remembered, as on
    crafted boards, counts as 32; a move of an ordinary game takes some ten. What counts are legal moves asked
    for, played, parsed and written, in positions and games; perft and the engine have bounds of their own.
    An outer budget goes on afterwards as it was.
    """
    outer = _kernel.limit_captures(nodes)
    try:
        yield
    finally:
        _kernel.limit_captures(outer)


def captures_left() -> int | None:
    """Return how many nodes this thread may still visit; None without a budget, and at least 0."""
    left = _kernel.limit_captures(None)
    _kernel.limit_captures(left)
    return None if left is None else max(0, left)
