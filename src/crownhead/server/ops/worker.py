"""`crownhead worker`: does the jobs that come again and the tasks that take long, beside any others."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from types import FrameType

from django.db import close_old_connections, connections
from django.utils.crypto import get_random_string
from django_tasks_db.management.commands.db_worker import Worker
from django_tasks_db.models import DBTaskResult

from crownhead.server.core import clock, queues
from crownhead.server.ops.sweeper import Sweeper

log = logging.getLogger(__name__)

PAUSE = 0.25  # seconds between looks for a new task
IDLE_LIFE = timedelta(minutes=5)  # after which a child without work ends


class TaskWorker:
    """Takes the tasks of the club one by one until it is stopped; one that fails stops nobody else."""

    def __init__(self, *, queue: str = "*", but_for: Sequence[str] = ()) -> None:
        self._queue, self._but_for = queue, but_for
        self._end = threading.Event()
        self._last_worked: datetime | None = clock.now()  # None: it works

    def stop(self) -> None:
        """End after the task in hand."""
        self._end.set()

    def idle_for(self, now: datetime) -> timedelta:
        """How long it has had no work."""
        return timedelta(0) if self._last_worked is None else now - self._last_worked

    def run(self) -> None:
        """Work."""
        while not self._end.is_set():
            idle_since, self._last_worked = self._last_worked, None
            worked = work_off(queue=self._queue, but_for=self._but_for)
            self._last_worked = clock.now() if worked else idle_since
            self._end.wait(PAUSE)
        connections.close_all()


def work_off(*, queue: str = "*", but_for: Sequence[str] = ()) -> bool:
    """Do every task that is ready in a queue, or in all but for some; whether there was one."""
    close_old_connections()
    ready = DBTaskResult.objects.ready().exclude(queue_name__in=but_for)
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
        excluded_queue_names=list(but_for),
    ).run()
    return True


def run_worker() -> None:
    """Jobs and tasks until a signal comes."""
    sweeper, tasks = Sweeper(), TaskWorkers()

    def end(_number: int, _frame: FrameType | None) -> None:
        tasks.stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
    sweeper.start()
    sys.stdout.write("Crownhead's worker is at work. Stop it with Ctrl+C.\n")
    sys.stdout.flush()
    try:
        tasks.run()
    finally:
        sweeper.stop()


def run_child() -> None:
    """Tasks alone, for the process that began this one: until its end, or until it has been idle."""
    tasks = TaskWorkers(idle_life=IDLE_LIFE)
    # Ctrl+C reaches the whole group: the parent decides.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_input, args=(tasks,), name="parent", daemon=True).start()
    with suppress(OSError):
        os.nice(5)  # pages first
    tasks.run()


class TaskWorkers:
    """One for each queue whose tasks must not wait for those of another, side by side in this process.

    The engine thinks without the interpreter's lock, so threads suffice. They end together: when told to, or
    when none has had work for ``idle_life``.
    """

    def __init__(self, *, idle_life: timedelta | None = None) -> None:
        apart = (queues.REPLIES, queues.STUDIES)
        self._idle_life = idle_life
        self._end = threading.Event()
        self._workers = [TaskWorker(but_for=apart), *(TaskWorker(queue=name) for name in apart)]

    def stop(self) -> None:
        """End after the tasks in hand."""
        self._end.set()

    def run(self) -> None:
        """Work until all have ended."""
        threads = [threading.Thread(target=worker.run, name="tasks") for worker in self._workers]
        for thread in threads:
            thread.start()
        while not self._end.wait(PAUSE):
            if self._idle_life is not None and self._idle_for(clock.now()) > self._idle_life:
                break
        for worker in self._workers:
            worker.stop()
        for thread in threads:
            thread.join()

    def _idle_for(self, now: datetime) -> timedelta:
        return min(worker.idle_for(now) for worker in self._workers)


def _end_with_input(tasks: TaskWorkers) -> None:
    sys.stdin.buffer.read()
    tasks.stop()
