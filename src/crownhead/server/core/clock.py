"""The only module of the server that reads the clock."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

_stopped_at: datetime | None = None


def now() -> datetime:
    """The current time, aware, in UTC."""
    return _stopped_at or datetime.now(UTC)


@contextmanager
def stopped(moment: datetime) -> Iterator[None]:
    """Make `now()` return `moment` in every thread until the block ends; for tests."""
    global _stopped_at
    if moment.tzinfo is None:
        raise ValueError(f"expected an aware datetime, got {moment!r}")
    before, _stopped_at = _stopped_at, moment
    try:
        yield
    finally:
        _stopped_at = before
