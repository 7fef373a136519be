"""Due work: a thread that calls each job every few seconds."""

import logging
import threading
from datetime import datetime, timedelta

from django.contrib.sessions.models import Session
from django.db import close_old_connections, connections
from django_tasks_db.models import DBTaskResult

from crownhead.server.core import clock
from crownhead.server.core.jobs import Job, jobs
from crownhead.server.live import services as live
from crownhead.server.play.games.deadlines import expire_waiting, send_reminders, sweep_deadlines

log = logging.getLogger(__name__)

OUTBOX_KEPT = timedelta(days=2)
TASKS_KEPT = timedelta(days=7)


def _forget_events(now: datetime) -> None:
    live.prune(before=now - OUTBOX_KEPT)


def _forget_sessions(now: datetime) -> None:
    Session.objects.filter(expire_date__lt=now).delete()


def _forget_tasks(now: datetime) -> None:
    DBTaskResult.objects.finished().filter(finished_at__lt=now - TASKS_KEPT).delete()


JOBS = (
    Job("deadlines", timedelta(seconds=1), lambda now: sweep_deadlines(now=now)),
    Job("reminders", timedelta(seconds=30), lambda now: send_reminders(now=now)),
    Job("waiting games", timedelta(minutes=1), lambda now: expire_waiting(now=now)),
    Job("old events", timedelta(minutes=10), _forget_events),
    Job("old tasks", timedelta(hours=1), _forget_tasks),
    Job("old sessions", timedelta(hours=6), _forget_sessions),
)


def all_jobs() -> tuple[Job, ...]:
    """The jobs of the whole club."""
    return (*JOBS, *jobs())


class Sweeper:
    """Runs the jobs in a thread of its own until it is stopped; one that fails is logged and tried again."""

    def __init__(self, work: tuple[Job, ...] | None = None, *, pause: float = 1.0) -> None:
        self._jobs, self._pause = all_jobs() if work is None else work, pause
        self._due = dict.fromkeys(
            (job.name for job in self._jobs), datetime.min.replace(tzinfo=clock.now().tzinfo)
        )
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._work, name="sweeper", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Finish the job in hand and end."""
        self._end.set()
        self._thread.join(timeout=10)

    def sweep(self, now: datetime) -> None:
        """Do what is due at `now`."""
        for job in self._jobs:
            if self._due[job.name] > now:
                continue
            self._due[job.name] = now + job.every
            try:
                job.run(now)
            except Exception:
                log.exception("the sweeper could not do its job: %s", job.name)

    def _work(self) -> None:
        while not self._end.is_set():
            close_old_connections()
            self.sweep(clock.now())
            self._end.wait(self._pause)
        connections.close_all()
