"""Runs tasks in this process, in place of a worker, which would take another connection to the database."""

from __future__ import annotations

from datetime import datetime
from itertools import count
from types import ModuleType
from typing import Any

import pytest
from django_tasks import TaskContext
from django_tasks_db.models import DBTaskResult

from crownhead.server.accounts.models import User
from crownhead.server.accounts.services import closing
from crownhead.server.core import clock
from crownhead.server.core.processes.queues import GENERAL


def run_tasks(*queues: str, rounds: int = 200) -> int:
    """Do the tasks of some queues, and those that come of them, until there are none; how many there were."""
    for done in range(rounds):
        ready = DBTaskResult.objects.ready().filter(queue_name__in=queues).first()
        if ready is None:
            return done
        _do(ready)
        ready.delete()
    raise AssertionError(f"expected an end of the tasks, there were more than {rounds}")


def close_for_good(user: User, now: datetime) -> None:
    """Close an account, and let the worker end at that moment what others take part in."""
    closing.close(user=user, now=now)
    with clock.stopped(now):
        run_tasks(GENERAL)


class Killed(BaseException):
    """The worker is killed here."""


def kill_worker(patches: pytest.MonkeyPatch, module: ModuleType, called: str, *, turn: int) -> None:
    """Do the one task that is ready until it calls a function of a module for the ``turn``-th time.

    There its worker is killed: the task stays as it is.
    """
    row = DBTaskResult.objects.ready().get()
    row.claim("a worker")
    row.enqueued_at = row.started_at = clock.now()
    row.save()
    function, turns = getattr(module, called), count(1)

    def call(*given: Any, **named: Any) -> Any:
        if next(turns) == turn:
            raise Killed
        return function(*given, **named)

    with patches.context() as patched:
        patched.setattr(module, called, call)
        with pytest.raises(Killed):
            _do(row)


def _do(row: DBTaskResult[Any, Any]) -> None:
    result: Any = row.task_result
    context = [TaskContext(task_result=result)] if row.task.takes_context else []
    row.task.call(*context, *result.args, **result.kwargs)
