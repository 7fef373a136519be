"""The worker process of `crownhead serve`: started when there are tasks, gone after some idle minutes.

Long work (a data archive, an analysis) must not share a process with the pages, and a site without any should
not pay for an idle process.
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

from crownhead.server.core.hosting.data_folder import VARIABLE
from crownhead.server.core.processes.neighbours import Neighbours, broadcast, subscribe
from crownhead.server.core.processes.queues import work_expected
from crownhead.server.ops.starting.first_start import WRONG_USAGE

STOP_WITHIN = 10.0  # seconds that a running task gets to finish when the site stops


_CALL = "work"


def call_for_tasks() -> None:
    """Have the neighbour that keeps the worker start it as soon as there is work here, or soon will be."""
    for signal in (task_enqueued, work_expected):
        signal.connect(_call)


def _call(**_arguments: object) -> None:
    broadcast(_CALL)


class TaskProcess:
    """At most one worker process, a child of this one."""

    def __init__(self, folder: Path, neighbours: Neighbours | None = None) -> None:
        variables, self._passed = neighbours.for_child() if neighbours else ({}, ())
        self._environment = {**os.environ, VARIABLE: str(folder), **variables}
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()  # pages are rendered in several threads
        self._is_stopped = False

    def start_on_demand(self) -> None:
        """Start the worker as soon as there is work, or soon will be: it needs a second or two to start."""
        for signal in (task_enqueued, work_expected):
            signal.connect(self._on_work)

    def start_for_neighbours(self) -> None:
        """Start the worker as soon as another process calls for it."""
        subscribe(_CALL)(self._on_work)

    def ensure_running(self, _now: datetime) -> None:
        """Start the worker if there is work and it is not running."""
        if not self._is_running() and DBTaskResult.objects.ready().exists():
            self._start()

    def _on_work(self, **_arguments: object) -> None:
        self._start()

    def _has_refused(self) -> bool:
        """Whether the worker could not go on with the files that it found; it has said so."""
        return self._process is not None and self._process.poll() == WRONG_USAGE

    def _is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def _start(self) -> None:
        with self._lock:
            if self._is_stopped or self._is_running() or self._has_refused():
                return
            # It exits when its stdin closes, so it ends with this process however that ends.
            self._process = subprocess.Popen(
                [sys.executable, "-m", "crownhead.cli", "worker", "--child"],
                stdin=subprocess.PIPE,
                env=self._environment,
                pass_fds=self._passed,
            )

    def stop(self) -> None:
        """End the worker after its current task, or kill it after `STOP_WITHIN`; it is not started again."""
        with self._lock:
            self._is_stopped = True
        if self._process is None or not self._is_running():
            return
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(STOP_WITHIN)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
