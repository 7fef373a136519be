"""The clock."""

from __future__ import annotations

import threading
from datetime import UTC, datetime

import pytest

from crownhead.server.core import clock

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_the_time_is_aware_and_goes_on() -> None:
    assert clock.now().tzinfo is UTC
    assert clock.now() <= clock.now()


def test_a_stopped_clock_stands_still_in_every_thread_and_goes_on_afterwards() -> None:
    seen: list[datetime] = []
    with clock.stopped(NOON):
        thread = threading.Thread(target=lambda: seen.append(clock.now()))
        thread.start()
        thread.join()
        assert clock.now() == NOON
    assert seen == [NOON]
    assert clock.now() != NOON


def test_a_clock_is_not_stopped_at_a_time_without_a_zone() -> None:
    with pytest.raises(ValueError, match="aware"), clock.stopped(NOON.replace(tzinfo=None)):
        pass
