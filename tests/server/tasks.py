"""Runs tasks in this process, in place of a worker, which would take another connection to the database."""

from __future__ import annotations

from django_tasks_db.models import DBTaskResult


def run_tasks(*queues: str, rounds: int = 200) -> int:
    """Do the tasks of some queues, and those that come of them, until there are none; how many there were."""
    for done in range(rounds):
        ready = DBTaskResult.objects.ready().filter(queue_name__in=queues).first()
        if ready is None:
            return done
        result = ready.task_result
        ready.task.call(*result.args, **result.kwargs)
        ready.delete()
    raise AssertionError(f"expected an end of the tasks, there were more than {rounds}")
