"""`crownhead worker`: does the jobs that come again and the tasks that take long, beside any others."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from contextlib import suppress
from datetime import timedelta
from types import FrameType

from django.db import close_old_connections, connections
from django.utils.crypto import get_random_string
from django_tasks_db.management.commands.db_worker import Worker
from django_tasks_db.models import DBTaskResult

from crownhead.server.core import clock
from crownhead.server.ops.sweeper import Sweeper

log = logging.getLogger(__name__)

PAUSE = 0.5  # seconds between looks for a new task
IDLE_LIFE = timedelta(minutes=5)  # after which a child without work ends


class TaskWorker:
    """Takes the tasks of the club one by one until it is stopped; one that fails stops nobody else."""

    def __init__(self, *, idle_life: timedelta | None = None) -> None:
        self._idle_life = idle_life
        self._end = threading.Event()

    def stop(self) -> None:
        """End after the task in hand."""
        self._end.set()

    def run(self) -> None:
        """Work."""
        last_worked = clock.now()
        while not self._end.is_set():
            if work_off():
                last_worked = clock.now()
            elif self._idle_life is not None and clock.now() - last_worked > self._idle_life:
                break
            else:
                self._end.wait(PAUSE)
        connections.close_all()


def work_off() -> bool:
    """Do every task that is ready; whether there was one."""
    close_old_connections()
    if not DBTaskResult.objects.ready().exists():
        return False
    Worker(
        queue_names=["*"],
        interval=0,
        batch=True,
        backend_name="default",
        startup_delay=False,
        max_tasks=None,
        worker_id=get_random_string(32),
        excluded_queue_names=[],
    ).run()
    return True


def run_worker() -> None:
    """Jobs and tasks until a signal comes."""
    sweeper, tasks = Sweeper(), TaskWorker()

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
    tasks = TaskWorker(idle_life=IDLE_LIFE)
    # Ctrl+C reaches the whole group: the parent decides.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_input, args=(tasks,), name="parent", daemon=True).start()
    with suppress(OSError):
        os.nice(5)  # pages first
    tasks.run()


def _end_with_input(tasks: TaskWorker) -> None:
    sys.stdin.buffer.read()
    tasks.stop()
