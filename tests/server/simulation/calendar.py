"""The clock of the simulation, which stands still until it is moved."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo

from crownhead.server.core import clock

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
START = datetime(2026, 10, 12, 6, tzinfo=UTC)  # a Monday; in Europe the clocks go back within the month


class Calendar:
    """Stops the clock; ``close`` lets it run again."""

    def __init__(self) -> None:
        self.now = START
        self._stopped = clock.stopped(self.now)
        self._stopped.__enter__()

    def advance(self, by: timedelta) -> datetime:
        """Move the clock; the new time."""
        return self.go_to(self.now + by)

    def go_to(self, moment: datetime) -> datetime:
        """Move the clock to a later time; the new time."""
        if moment < self.now:
            raise ValueError(f"expected a moment after {self.now}, got {moment}")
        self._stopped.__exit__(None, None, None)
        self.now = moment
        self._stopped = clock.stopped(self.now)
        self._stopped.__enter__()
        return self.now

    def close(self) -> None:
        """Let the clock run."""
        self._stopped.__exit__(None, None, None)

    @property
    def day(self) -> int:
        """The day of the month, from 1."""
        return (self.now - START) // DAY + 1


def next_time(hour: int, zone: tzinfo, *, after: datetime) -> datetime:
    """The first quarter of an hour after a moment at which it is ``hour`` o'clock in the zone."""
    quarter = timedelta(minutes=15)
    moment = after.replace(minute=0, second=0, microsecond=0)
    while True:
        here = moment.astimezone(zone)
        if moment > after and (here.hour, here.minute) == (hour, 0):
            return moment
        moment += quarter
