"""The timekeeper: a thread that sees to the clock and, where pages are served, gives the sign of life.

With each sign of life it flushes the buffers of this process's pages (`core.background.write_buffers`).

A clock that has jumped is believed once it has stayed there for `settings.CLOCK_MINUTES`; by the next sign of
life the jump is an outage, which costs nobody a game. With PostgreSQL all machines go by the clock of the
database, so that they agree.
"""

import logging
import threading
from collections.abc import Callable
from datetime import datetime, timedelta

from django.conf import settings
from django.db import DatabaseError, close_old_connections, connection, connections

from crownhead.server.core import clock
from crownhead.server.core.background import write_buffers
from crownhead.server.play.outages import selectors, services

log = logging.getLogger(__name__)

PAUSE = 5.0  # seconds between two signs of life
RETRY = 1.0  # seconds after one that failed


_troubles: set[object] = set()


def is_in_trouble() -> bool:
    """Whether the last sign of life of this process failed."""
    return bool(_troubles)


class Timekeeper:
    """Sees to the clock of this process; ``beats``: pages are served here, so it gives the sign of life.

    ``reference``: reads the clock that all machines go by, if they share one.
    """

    def __init__(
        self,
        *,
        beats: bool,
        watch: clock.DoubtfulClock = clock.CLOCK,
        reference: Callable[[], datetime] | None = None,
    ) -> None:
        self._beats, self._clock = beats, watch
        shared = _time_of_database if connection.vendor == "postgresql" else None
        self._reference = reference or shared
        self._clock.tolerance = selectors.outage_threshold()
        self._has_begun = self._has_warned = False
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="timekeeper", daemon=True)

    def start(self) -> None:
        """See to the clock now, then again and again in a thread."""
        self.tick()
        if self._beats:
            write_buffers.begin()
        self._thread.start()

    def stop(self) -> None:
        """End the thread, with a last sign of life."""
        self._stopping.set()
        self._thread.join(timeout=10)
        if self._beats:
            self._write_rest()
        _troubles.discard(self)

    def now(self) -> datetime:
        """The time to go by."""
        return self._clock.now()

    def tick(self) -> bool:
        """See to the clock once; False where the database cannot be asked."""
        try:
            self._follow()
            self._check_clock()
            if self._beats:
                services.beat(now=self.now())
                write_buffers.flush()
        except DatabaseError as error:
            if not _troubles:
                log.warning("no sign of life, as the database cannot be reached or written to: %s", error)
            _troubles.add(self)
            return False
        if self in _troubles:
            log.warning("the database can be reached and written to again")
        _troubles.discard(self)
        return True

    def _follow(self) -> None:
        """Go by the clock of the database, and at first by the last sign of life where that can tell."""
        if self._reference is not None:
            self._clock.follow(self._reference())
        if self._has_begun:
            return
        expected = selectors.expected_time()
        if expected is not None:
            self._clock.begin_at(expected)
        else:
            self._clock.accept()
        self._has_begun = True

    def _write_rest(self) -> None:
        try:
            write_buffers.end()
        except DatabaseError as error:
            log.warning("what pages had gathered could not be written: %s", error)

    def _check_clock(self) -> None:
        jump = self._clock.jump()
        if jump is None:
            self._has_warned = False
            return
        if not self._has_warned:
            log.warning("the clock has jumped by %s: going on as if it had not", jump)
            self._has_warned = True
        if self._clock.doubted_for() >= timedelta(minutes=settings.CLOCK_MINUTES):
            log.warning("the clock has stayed where it jumped to, by %s: it is believed now", jump)
            self._clock.accept()

    def _run(self) -> None:
        is_well = self not in _troubles  # the start has just seen to it
        while not self._stopping.wait(PAUSE if is_well else RETRY):
            is_well = self._tick_safely()
        self._tick_safely()
        connections.close_all()

    def _tick_safely(self) -> bool:
        try:
            close_old_connections()
            return self.tick()
        except Exception:
            log.exception("the timekeeper stumbled")
            return False


def outages_are_over(now: datetime) -> bool:
    """Make up for outages; whether the jobs may run, which end what is due."""
    if selectors.is_over(now):
        return True
    if services.compensate(now=now):
        log.info("an outage is made up for")
    return selectors.is_over(now)


def _time_of_database() -> datetime:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        (moment,) = cursor.fetchone()
    assert isinstance(moment, datetime)
    return moment
