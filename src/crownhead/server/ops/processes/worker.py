"""`crownhead worker`: runs the repeated jobs and the long tasks; several workers may run at once."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from datetime import datetime, timedelta
from types import FrameType

from django.db import close_old_connections, connections
from django.urls import reverse
from django.utils.crypto import get_random_string
from django_tasks_db.management.commands.db_worker import Worker
from django_tasks_db.models import DBTaskResult

from crownhead.server.core import clock
from crownhead.server.core.background.throttling import in_background
from crownhead.server.core.processes import queues
from crownhead.server.core.processes.neighbours import connect_to_parents
from crownhead.server.ops.processes.loading import loading
from crownhead.server.ops.processes.sweeper import Sweeper
from crownhead.server.ops.processes.timekeeper import Timekeeper, outages_are_over

log = logging.getLogger(__name__)

PAUSE = 0.25  # seconds between checks for new tasks
PAUSE_AFTER_ERROR = 2.0  # seconds until the next one where the database is away
_NICENESS = 5  # of a child: pages first, but a task that writes must not hold up their writers for long
IDLE_LIFE = timedelta(minutes=5)  # after which an idle child process exits


class TaskWorker:
    """Runs tasks one by one until it is stopped; a task that fails does not affect the others.

    ``rests``: tasks that go through many rows leave time to pages in between.
    """

    def __init__(self, *, queue: str = "*", excluded: Sequence[str] = (), rests: bool = False) -> None:
        self._queue, self._excluded, self._rests = queue, excluded, rests
        self._stopping = threading.Event()
        self._last_worked: datetime | None = clock.now()  # None while it is working

    def stop(self) -> None:
        """End after the current task."""
        self._stopping.set()

    def idle_for(self, now: datetime) -> timedelta:
        """How long it has been idle."""
        return timedelta(0) if self._last_worked is None else now - self._last_worked

    def _rest(self, seconds: float) -> None:
        """Half of the time, not three quarters as jobs: other tasks wait behind this one."""
        self._stopping.wait(seconds / 3)

    def run(self) -> None:
        """Run tasks until stopped."""
        with in_background(self._rest) if self._rests else nullcontext():
            while not self._stopping.is_set():
                idle_since, self._last_worked = self._last_worked, None
                worked = self._run_ready()
                self._last_worked = clock.now() if worked else idle_since
                self._stopping.wait(PAUSE)
        connections.close_all()

    def _run_ready(self) -> bool:
        """Run the tasks that are ready; where the database is away, try again a moment later."""
        try:
            return run_ready_tasks(queue=self._queue, excluded=self._excluded)
        except Exception:
            log.exception("tasks cannot be run now")
            connections.close_all()
            self._stopping.wait(PAUSE_AFTER_ERROR)
            return False


def run_ready_tasks(*, queue: str = "*", excluded: Sequence[str] = ()) -> bool:
    """Run every task that is ready in a queue, or in all but the excluded ones; whether there was one."""
    close_old_connections()
    ready = DBTaskResult.objects.ready().exclude(queue_name__in=excluded)
    if queue != "*":
        ready = ready.filter(queue_name=queue)
    if not ready.exists():
        return False
    Worker(
        queue_names=[queue],
        interval=0,
        batch=True,
        backend_name="default",
        startup_delay=False,
        max_tasks=None,
        worker_id=get_random_string(32),
        excluded_queue_names=list(excluded),
    ).run()
    return True


def run_worker() -> None:
    """Run jobs and tasks until a signal arrives."""
    _load_pages()
    timekeeper, sweeper, tasks = Timekeeper(beats=False), Sweeper(may_sweep=outages_are_over), TaskWorkers()

    def stop(_number: int, _frame: FrameType | None) -> None:
        tasks.stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    timekeeper.start()
    sweeper.start()
    sys.stdout.write("The worker is running. Press Ctrl+C to stop.\n")
    sys.stdout.flush()
    try:
        tasks.run()
    finally:
        sweeper.stop()
        timekeeper.stop()


def run_child() -> None:
    """Run tasks only, for the parent process: until that ends, or until idle for too long."""
    tasks = TaskWorkers(idle_life=IDLE_LIFE)
    # Ctrl+C reaches the whole process group: the parent decides.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_stop_with_stdin, args=(tasks,), name="parent", daemon=True).start()
    connect_to_parents()
    with suppress(OSError):
        os.nice(_NICENESS)
    _load_pages()
    tasks.run()


def _load_pages() -> None:
    """Import what tells the address of a game: the first task would do so while others can't write."""
    with loading():
        reverse("pages:home")


class TaskWorkers:
    """One thread for each queue whose tasks must not wait for those of another.

    The engine searches without the interpreter lock, so threads suffice; it never rests. They end together:
    when stopped, or when all have been idle for ``idle_life``.
    """

    def __init__(self, *, idle_life: timedelta | None = None) -> None:
        separate = (queues.REPLIES, queues.STUDIES)
        self._idle_life = idle_life
        self._stopping = threading.Event()
        at_leisure = TaskWorker(excluded=separate, rests=True)
        self._workers = [at_leisure, *(TaskWorker(queue=name) for name in separate)]

    def stop(self) -> None:
        """End after the current tasks."""
        self._stopping.set()

    def run(self) -> None:
        """Run until all threads have ended."""
        threads = [threading.Thread(target=worker.run, name="tasks") for worker in self._workers]
        for thread in threads:
            thread.start()
        while not self._stopping.wait(PAUSE):
            if self._idle_life is not None and self._idle_for(clock.now()) > self._idle_life:
                break
        for worker in self._workers:
            worker.stop()
        for thread in threads:
            thread.join()

    def _idle_for(self, now: datetime) -> timedelta:
        return min(worker.idle_for(now) for worker in self._workers)


def _stop_with_stdin(tasks: TaskWorkers) -> None:
    while os.read(sys.stdin.fileno(), 1024):  # not buffered: Python can't end while a thread reads that
        pass
    tasks.stop()
