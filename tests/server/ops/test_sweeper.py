"""The sweeper runs the repeated jobs when they are due."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.sessions.models import Session
from django_tasks import TaskResultStatus
from django_tasks.base import Task
from django_tasks_db.models import DBTaskResult

from crownhead.server.core.background.killed_tasks import repeat_killed
from crownhead.server.core.jobs import Job
from crownhead.server.live.models import Outbox
from crownhead.server.ops.processes.sweeper import Sweeper, all_jobs
from crownhead.server.people.tasks import make_archive
from crownhead.server.play.tasks import make_planned_moves

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_each_job_runs_when_it_is_due() -> None:
    ran: list[str] = []
    jobs = (
        Job("often", timedelta(seconds=2), lambda _now: ran.append("often")),
        Job("seldom", timedelta(minutes=1), lambda _now: ran.append("seldom")),
    )
    sweeper = Sweeper(jobs)
    for second in range(0, 61, 1):
        sweeper.sweep(NOON + timedelta(seconds=second))
    assert ran.count("often") == 31
    assert ran.count("seldom") == 2


def test_a_failing_job_is_logged_and_retried_without_stopping_the_others(
    caplog: pytest.LogCaptureFixture,
) -> None:
    ran: list[datetime] = []

    def fail(_now: datetime) -> None:
        raise OSError("disk")

    sweeper = Sweeper((Job("bad", timedelta(seconds=1), fail), Job("good", timedelta(seconds=1), ran.append)))
    sweeper.sweep(NOON)
    sweeper.sweep(NOON + timedelta(seconds=1))
    assert ran == [NOON, NOON + timedelta(seconds=1)]
    assert caplog.text.count("job failed: bad") == 2


def test_the_thread_runs_until_it_is_stopped() -> None:
    worked = threading.Event()
    sweeper = Sweeper((Job("work", timedelta(0), lambda _now: worked.set()),), pause=0.01)
    sweeper.start()
    assert worked.wait(5)
    sweeper.stop()
    worked.clear()
    assert not worked.wait(0.05)


@pytest.mark.django_db
@pytest.mark.parametrize(("task", "again"), [(make_planned_moves, "READY"), (make_archive, "RUNNING")])
def test_what_a_killed_worker_has_left_is_repeated_if_that_does_no_harm(
    task: Task[..., None], again: str
) -> None:
    task.enqueue(1)
    left = DBTaskResult.objects.all()
    left.update(status=TaskResultStatus.RUNNING, enqueued_at=NOON, started_at=NOON)
    repeating = Sweeper(tuple(job for job in all_jobs() if job.name == "tasks of killed workers"))
    repeating.sweep(NOON + timedelta(minutes=4))  # its worker may be at it still
    assert left.get().status == "RUNNING"
    repeating.sweep(NOON + timedelta(minutes=9))
    assert left.get().status == again


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("error", "again"),
    [("django.db.utils.OperationalError", "READY"), ("builtins.ValueError", "FAILED")],
)
def test_what_only_the_database_let_fail_is_repeated(error: str, again: str) -> None:
    make_planned_moves.enqueue("1")
    left = DBTaskResult.objects.all()
    facts = {"enqueued_at": NOON, "started_at": NOON, "finished_at": NOON, "exception_class_path": error}
    left.update(status=TaskResultStatus.FAILED, **facts)
    assert repeat_killed(NOON + timedelta(minutes=9)) == (again == "READY")
    assert left.get().status == again


@pytest.mark.django_db
def test_a_task_that_is_repeated_is_like_one_that_was_never_done() -> None:
    make_planned_moves.enqueue("1")
    left = DBTaskResult.objects.all()
    left.update(
        status=TaskResultStatus.FAILED,
        enqueued_at=NOON,
        started_at=NOON,
        finished_at=NOON,
        exception_class_path="django.db.utils.OperationalError",
        traceback="Traceback",
    )
    repeat_killed(NOON + timedelta(minutes=9))
    task = left.get()
    assert (task.status, task.finished_at) == ("READY", None)
    assert (task.exception_class_path, task.traceback) == ("", "")


def test_jobs_that_are_punctual_do_not_wait_for_one_that_lasts() -> None:
    worked, ended = threading.Event(), threading.Event()
    jobs = (
        Job("long", timedelta(hours=1), lambda _now: ended.wait(10), lasts=True),
        Job("deadlines", timedelta(0), lambda _now: worked.set()),
    )
    sweeper = Sweeper(jobs, pause=0.01)
    sweeper.start()
    worked.clear()
    assert worked.wait(5)
    ended.set()
    sweeper.stop()


def test_recalculated_ratings_and_packed_games_are_jobs_that_last() -> None:
    lasting = {job.name for job in all_jobs() if job.lasts}
    assert {"annulled games", "finished games", "guests who are gone", "old events"} <= lasting
    assert not {"deadlines", "reminders", "tournaments", "no-shows of tournaments"} & lasting


@pytest.mark.django_db
def test_the_built_in_jobs_delete_only_old_rows() -> None:
    for key, days in (("old", -1), ("new", 1)):
        Session.objects.create(session_key=key, session_data="", expire_date=NOON + timedelta(days=days))
    for days in (-9, -1, 0):
        Outbox.objects.create(topic="game:a", kind="game", payload={}, created_at=NOON + timedelta(days=days))
    Sweeper().sweep(NOON)
    assert [session.session_key for session in Session.objects.all()] == ["new"]
    assert Outbox.objects.count() == 2
