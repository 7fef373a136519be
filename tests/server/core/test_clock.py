"""The clock of the server."""

from __future__ import annotations

import threading
from datetime import UTC, datetime

import pytest

from crownhead.server.core import clock

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_the_time_is_aware_and_moves_forward() -> None:
    assert clock.now().tzinfo is UTC
    assert clock.now() <= clock.now()


@pytest.mark.parametrize(
    ("text", "edge"),
    [
        ("2026-03-01T14:00:00+02:00", NOON),
        ("0001-01-01T00:00:00+23:59", datetime.min.replace(tzinfo=UTC)),
        ("9999-12-31T23:59:59-23:59", datetime.max.replace(tzinfo=UTC)),
    ],
)
def test_every_moment_has_one_in_utc(text: str, edge: datetime) -> None:
    assert clock.in_utc(datetime.fromisoformat(text)) == edge


def test_a_stopped_clock_stands_still_in_every_thread_until_the_block_ends() -> None:
    times: list[datetime] = []
    with clock.stopped(NOON):
        thread = threading.Thread(target=lambda: times.append(clock.now()))
        thread.start()
        thread.join()
        assert clock.now() == NOON
    assert times == [NOON]
    assert clock.now() != NOON


def test_the_clock_cannot_be_stopped_at_a_naive_time() -> None:
    with pytest.raises(ValueError, match="aware"), clock.stopped(NOON.replace(tzinfo=None)):
        pass
