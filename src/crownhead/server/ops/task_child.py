"""A process for the tasks of a small club: begun when some are near, ended when there were none for a while.

Long work (an archive, an engine's analysis) must not share a process with the pages. A club that needs none
of it pays nothing for it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from datetime import datetime
from pathlib import Path

from django_tasks.signals import task_enqueued
from django_tasks_db.models import DBTaskResult

from crownhead.server.core.data_folder import VARIABLE
from crownhead.server.core.queues import work_is_near

STOP_WITHIN = 10.0  # seconds a task in hand gets when the club stops


class TaskChild:
    """At most one worker that belongs to this process."""

    def __init__(self, folder: Path) -> None:
        self._environment = {**os.environ, VARIABLE: str(folder)}
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()  # pages are made by several threads
        self._is_over = False

    def listen(self) -> None:
        """Begin a worker as soon as there is work, or will be: it needs a second or two to start."""
        for signal in (task_enqueued, work_is_near):
            signal.connect(self._hear)

    def attend(self, _now: datetime) -> None:
        """Begin a worker if there is work and none runs."""
        if not self._runs() and DBTaskResult.objects.ready().exists():
            self._begin()

    def _hear(self, **_told: object) -> None:
        self._begin()

    def _runs(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def _begin(self) -> None:
        with self._lock:
            if self._is_over or self._runs():
                return
            # It ends when its input does, and so with this process, however that ends.
            self._process = subprocess.Popen(
                [sys.executable, "-m", "crownhead.cli", "worker", "--child"],
                stdin=subprocess.PIPE,
                env=self._environment,
            )

    def stop(self) -> None:
        """End the worker after the task in hand, if that does not take too long; none is begun after it."""
        with self._lock:
            self._is_over = True
        if self._process is None or not self._runs():
            return
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(STOP_WITHIN)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
