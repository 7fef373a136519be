"""Runs the engine's tasks in this process, in place of the worker."""

from __future__ import annotations

from crownhead.server.core.processes.queues import REPLIES, STUDIES
from tests.server.tasks import run_tasks


def run_engine_tasks(*, rounds: int = 200) -> int:
    """Do the engine's tasks, and those that come of them, until there are none; how many there were."""
    return run_tasks(REPLIES, STUDIES, rounds=rounds)
