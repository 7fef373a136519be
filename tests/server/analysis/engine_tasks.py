"""Runs the engine's tasks in this process, in place of the worker."""

from __future__ import annotations

from django_tasks_db.models import DBTaskResult

from crownhead.server.core.processes.queues import REPLIES, STUDIES


def run_engine_tasks(*, rounds: int = 200) -> int:
    """Do the engine's tasks, and those that come of them, until there are none; how many there were."""
    for done in range(rounds):
        ready = DBTaskResult.objects.ready().filter(queue_name__in=(REPLIES, STUDIES)).first()
        if ready is None:
            return done
        result = ready.task_result
        ready.task.call(*result.args, **result.kwargs)
        ready.delete()
    raise AssertionError(f"expected an end of the tasks, there were more than {rounds}")
