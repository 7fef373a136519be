"""The worker, for tests: does in this process what pages have asked it to do."""

from __future__ import annotations

from django_tasks_db.models import DBTaskResult

from crownhead.server.core.queues import REPLIES, STUDIES


def work(*, rounds: int = 200) -> int:
    """Do the engine's tasks, and those that come of them, until there are none; how many there were."""
    for done in range(rounds):
        ready = DBTaskResult.objects.ready().filter(queue_name__in=(REPLIES, STUDIES)).first()
        if ready is None:
            return done
        result = ready.task_result
        ready.task.call(*result.args, **result.kwargs)
        ready.delete()
    raise AssertionError(f"expected an end of the tasks, there were more than {rounds}")
