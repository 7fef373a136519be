"""A process for the tasks of a small club: begun when there are some, ended when there were none for a while.

Long work (an archive, an engine's analysis) must not share a process with the pages. A club that needs none
of it pays nothing for it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import datetime
from pathlib import Path

from django_tasks_db.models import DBTaskResult

from crownhead.server.core.data_folder import VARIABLE

STOP_WITHIN = 10.0  # seconds a task in hand gets when the club stops


class TaskChild:
    """At most one worker that belongs to this process."""

    def __init__(self, folder: Path) -> None:
        self._environment = {**os.environ, VARIABLE: str(folder)}
        self._process: subprocess.Popen[bytes] | None = None

    def attend(self, _now: datetime) -> None:
        """Begin a worker if there is work and none runs."""
        if self._process is not None and self._process.poll() is None:
            return
        self._process = None
        if DBTaskResult.objects.ready().exists():
            # It ends when its input does, and so with this process, however that ends.
            self._process = subprocess.Popen(
                [sys.executable, "-m", "crownhead.cli", "worker", "--child"],
                stdin=subprocess.PIPE,
                env=self._environment,
            )

    def stop(self) -> None:
        """End the worker after the task in hand, if that does not take too long."""
        if self._process is None or self._process.poll() is not None:
            return
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(STOP_WITHIN)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
