"""The sweeper: runs each repeated job when it is due, those that last in a thread of their own."""

import logging
import threading
import time
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from django.db import close_old_connections, connections
from django_tasks_db.models import DBTaskResult

from crownhead.server.core import clock
from crownhead.server.core.background.killed_tasks import repeat_killed
from crownhead.server.core.background.throttling import in_background
from crownhead.server.core.jobs import Job, sweep
from crownhead.server.core.jobs import jobs as registered_jobs
from crownhead.server.live import services as live
from crownhead.server.play.games.services.deadlines import end_overdue_games, expire_waiting, send_reminders

log = logging.getLogger(__name__)

OUTBOX_RETENTION = timedelta(days=2)
STOP_WITHIN = 10.0  # seconds
TASK_RETENTION = timedelta(days=7)


def _delete_old_events(now: datetime) -> None:
    live.prune(before=now - OUTBOX_RETENTION)


def _delete_old_tasks(now: datetime) -> None:
    sweep(DBTaskResult.objects.finished().filter(finished_at__lt=now - TASK_RETENTION))


JOBS = (
    Job("deadlines", timedelta(seconds=1), lambda now: end_overdue_games(now=now)),
    Job("reminders", timedelta(seconds=30), lambda now: send_reminders(now=now)),
    Job("waiting games", timedelta(minutes=1), lambda now: expire_waiting(now=now)),
    Job("old events", timedelta(minutes=10), _delete_old_events, lasts=True),
    Job("tasks of killed workers", timedelta(minutes=5), repeat_killed, lasts=True),
    Job("old tasks", timedelta(hours=1), _delete_old_tasks, lasts=True),
)


def all_jobs() -> tuple[Job, ...]:
    """The jobs of all apps."""
    return (*JOBS, *registered_jobs())


class Sweeper:
    """Runs the jobs in two threads until it is stopped; a job that fails is logged and tried again.

    ``may_sweep``: whether they may run at a moment; asked each time.
    """

    def __init__(
        self,
        jobs: tuple[Job, ...] | None = None,
        *,
        pause: float = 1.0,
        may_sweep: Callable[[datetime], bool] = lambda _now: True,
    ) -> None:
        self._jobs, self._pause, self._may_sweep = all_jobs() if jobs is None else jobs, pause, may_sweep
        self._due = dict.fromkeys(
            (job.name for job in self._jobs), datetime.min.replace(tzinfo=clock.now().tzinfo)
        )
        self._stopping = threading.Event()
        self._threads = [
            threading.Thread(target=self._run, args=(lasts,), name=name, daemon=True)
            for name, lasts in (("sweeper", False), ("sweeper at leisure", True))
        ]

    def start(self) -> None:
        """Start the threads."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Finish the current jobs and end the threads."""
        self._stopping.set()
        ends = time.monotonic() + STOP_WITHIN
        for thread in self._threads:
            thread.join(timeout=max(0.0, ends - time.monotonic()))

    def sweep(self, now: datetime) -> None:
        """Run all jobs that are due at `now`."""
        self._sweep(self._jobs, now)

    def _sweep(self, jobs: Iterable[Job], now: datetime) -> None:
        for job in jobs:
            if now < self._due[job.name] <= now + job.every:  # later than that only by a clock that was ahead
                continue
            self._due[job.name] = now + job.every
            try:
                job.run(now)
            except Exception:
                log.exception("job failed: %s", job.name)

    def _run(self, lasts: bool) -> None:
        jobs = [job for job in self._jobs if job.lasts == lasts]
        with in_background(self._stopping.wait):
            while not self._stopping.is_set():
                close_old_connections()
                self._sweep_if_safe(jobs)
                close_old_connections()  # others borrow it from the pool while this thread rests
                self._stopping.wait(self._pause)
        connections.close_all()

    def _sweep_if_safe(self, jobs: Iterable[Job]) -> None:
        now = clock.now()
        try:
            may_sweep = self._may_sweep(now)
        except Exception:
            log.exception("it cannot be told whether the jobs may run")
            return
        if may_sweep:
            self._sweep(jobs, now)
