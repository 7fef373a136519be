"""The only module of the server that reads the clock, and the doubt about it.

A machine's clock may jump: it is set by hand, by a time server, or by a host that moves the machine. Time
that is counted (`steady_seconds`) does not. Where they disagree by more than `TOLERANCE`, `now()` goes on by
the counted time, as if the clock had not been touched, until it is itself again or `accept()` is called.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

TOLERANCE = timedelta(minutes=2)
_FIRST, _LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")

_stopped_at: datetime | None = None


def steady_seconds() -> float:
    """Seconds counted since the machine started, suspensions included where the system counts them."""
    suspended_too = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if suspended_too is None else time.clock_gettime(suspended_too)


def running_on(moment: datetime) -> Callable[[], datetime]:
    """What tells the time from now on, where it is this moment now: for work that goes on for minutes."""
    since = now()
    return lambda: moment + (now() - since)


def boot() -> str:
    """A name of this start of this machine, since when `steady_seconds` count; empty where there is none."""
    try:
        return _BOOT_ID.read_text("ascii").strip()
    except OSError:
        return ""


def in_utc(moment: datetime) -> datetime:
    """The moment in UTC; the first or the last that there is, where its offset leads beyond that."""
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        return _FIRST if moment.year == _FIRST.year else _LAST


class DoubtfulClock:
    """A clock that is believed while it goes no faster and no slower than time is counted.

    ``wall``: reads the clock; ``count``: counts seconds. ``tolerance``: by how much they may disagree.
    """

    def __init__(
        self,
        wall: Callable[[], datetime],
        count: Callable[[], float] = steady_seconds,
        tolerance: timedelta = TOLERANCE,
    ) -> None:
        self.tolerance = tolerance
        self._wall, self._count = wall, count
        self._offset = timedelta(0)
        self._anchor = (wall(), count())  # one value, so that threads see both parts of it
        self._doubted_since: float | None = None
        self._lock = threading.Lock()

    def now(self) -> datetime:
        """The time to go by."""
        counted = self._count()
        read, expected = self._wall() + self._offset, self._expected(counted)
        if abs(read - expected) <= self.tolerance:
            self._anchor, self._doubted_since = (read, counted), None
            return read
        with self._lock:
            if self._doubted_since is None:
                self._doubted_since = counted
        return expected

    def jump(self) -> timedelta | None:
        """By how much the clock has jumped; None where it is believed."""
        counted = self._count()
        apart = self._wall() + self._offset - self._expected(counted)
        return apart if abs(apart) > self.tolerance else None

    def doubted_for(self) -> timedelta:
        """For how long the clock has not been believed."""
        self.now()
        since = self._doubted_since
        return timedelta(0) if since is None else timedelta(seconds=self._count() - since)

    def accept(self) -> None:
        """Believe the clock as it stands."""
        self._anchor, self._doubted_since = (self._wall() + self._offset, self._count()), None

    def begin_at(self, moment: datetime) -> None:
        """Go on from a moment that is known to be right, whatever the clock shows."""
        self._anchor, self._doubted_since = (moment, self._count()), None

    def follow(self, reference: datetime) -> None:
        """Go by another clock, such as that of a database which several machines share."""
        self._offset = reference - self._wall()

    def _expected(self, counted: float) -> datetime:
        at, then = self._anchor
        return at + timedelta(seconds=counted - then)


CLOCK = DoubtfulClock(lambda: datetime.now(UTC))


def now() -> datetime:
    """The current time, aware, in UTC."""
    return _stopped_at or CLOCK.now()


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
