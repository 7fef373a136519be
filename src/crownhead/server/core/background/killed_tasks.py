"""Tasks whose worker was killed, or lost its database: those that may be done again without harm are."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.db.models import Q
from django_tasks import TaskResultStatus
from django_tasks.base import Task
from django_tasks_db.models import DBTaskResult

from crownhead.server.core.processes.queues import GENERAL

LATELY = timedelta(days=1)
_OF_THE_DATABASE = ("django.db.utils.OperationalError", "django.db.utils.InterfaceError")
KILLED_AFTER = timedelta(minutes=5)  # a worker that is not done with a task by then: it takes seconds

_TaskT = TypeVar("_TaskT", bound=Task[..., Any])
_repeated: list[str] = []


def idempotent(task: _TaskT) -> _TaskT:
    """Let a worker repeat this task after another one was killed at it, or failed; for an app's `tasks.py`.

    Whom it notifies must be notified once, however often it is done.
    """
    _repeated.append(task.module_path)
    return task


def repeat_killed(now: datetime) -> int:
    """Let a worker repeat tasks that were left by theirs, or let fail by the database; returns how many.

    What a worker of more than a day ago has left is no news to anybody.
    """
    killed = Q(status=TaskResultStatus.RUNNING)
    failed = Q(status=TaskResultStatus.FAILED, exception_class_path__in=_OF_THE_DATABASE)
    left = DBTaskResult.objects.filter(
        killed | failed,
        queue_name=GENERAL,
        task_path__in=_repeated,
        started_at__lt=now - KILLED_AFTER,
        enqueued_at__gt=now - LATELY,
    )
    keys = list(left.order_by().values_list("pk", flat=True))  # seldom any: then nothing is written
    ready = {"status": TaskResultStatus.READY, "finished_at": None, "exception_class_path": ""}
    return left.filter(pk__in=keys).update(traceback="", **ready) if keys else 0
