"""Waiting for what must happen soon after a fault."""

from __future__ import annotations

import time
from collections.abc import Callable

from tests.faults.storm import Match

SOON = 15.0  # seconds within which all must be as it was


def wait_until(is_so: Callable[[], bool], *, seconds: float = SOON) -> None:
    """Wait for something that must happen."""
    until = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < until, f"not so within {seconds} seconds"
        time.sleep(0.1)


def go_on(matches: list[Match]) -> None:
    """Wait until every match has gone on."""
    before = [match.acknowledged for match in matches]

    def have_gone_on() -> bool:
        assert all(match.is_alive() for match in matches), [match.failure for match in matches]
        return all(match.acknowledged > then for match, then in zip(matches, before, strict=True))

    wait_until(have_gone_on, seconds=4 * SOON)
