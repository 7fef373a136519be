"""The worker: tasks are done once, a failing one stops nobody, a child ends with its parent."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.test import Client
from django_tasks_db.models import DBTaskResult

from crownhead.server.core import clock
from crownhead.server.core.queues import work_is_near
from crownhead.server.ops.sweeper import Sweeper
from crownhead.server.ops.task_child import TaskChild
from crownhead.server.ops.worker import TaskWorkers, work_off
from tests.server.ops import chores

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


@pytest.mark.django_db(transaction=True)
def test_every_task_is_done_and_one_that_fails_stops_nobody(tmp_path: Path) -> None:
    failing = chores.fail.enqueue()
    writing = chores.write.enqueue(str(tmp_path / "note"))
    assert work_off()
    assert (tmp_path / "note").read_text("utf-8") == "done"
    failing.refresh()
    writing.refresh()
    assert str(failing.status) == "FAILED"
    assert str(writing.status) == "SUCCESSFUL"
    assert not work_off()


@pytest.mark.django_db(transaction=True)
def test_a_worker_without_work_ends_when_it_may() -> None:
    with clock.stopped(NOON):
        worker = TaskWorkers(idle_life=timedelta(minutes=1))
        thread = threading.Thread(target=worker.run)
        thread.start()
    with clock.stopped(NOON + timedelta(minutes=2)):
        thread.join(10)
    worker.stop()
    thread.join(10)
    assert not thread.is_alive()


@pytest.mark.django_db(transaction=True)
def test_what_is_left_of_tasks_goes_after_a_week(tmp_path: Path) -> None:
    chores.write.enqueue(str(tmp_path / "note"))
    work_off()
    Sweeper().sweep(clock.now() + timedelta(days=6))
    assert DBTaskResult.objects.count() == 1
    Sweeper().sweep(clock.now() + timedelta(days=8))
    assert DBTaskResult.objects.count() == 0


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands of the processes that were begun; none ever ends by itself."""
    commands: list[list[str]] = []

    class Begun:
        """Stands in for a process that runs."""

        stdin = None

        def __init__(self, command: list[str], **_: object) -> None:
            commands.append(command)

        def poll(self) -> None:
            """Still running."""

        def wait(self, _seconds: float) -> None:
            """It ends at once when it is waited for."""

    monkeypatch.setattr(subprocess, "Popen", Begun)
    return commands


@pytest.mark.django_db(transaction=True)
def test_no_process_is_begun_without_a_task(tmp_path: Path, begun: list[list[str]]) -> None:
    child = TaskChild(tmp_path)
    child.attend(NOON)
    assert begun == []
    chores.fail.enqueue()
    child.attend(NOON)
    child.attend(NOON)  # it runs already
    assert begun == [[sys.executable, "-m", "crownhead.cli", "worker", "--child"]]


@pytest.mark.django_db(transaction=True)
def test_a_process_is_begun_with_the_task_itself(tmp_path: Path, begun: list[list[str]]) -> None:
    child = TaskChild(tmp_path)
    child.listen()
    chores.fail.enqueue()
    chores.fail.enqueue()
    assert len(begun) == 1


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/new/computer/", "/analysis/"])
def test_a_process_is_begun_when_somebody_may_want_the_engine(
    tmp_path: Path, begun: list[list[str]], client: Client, path: str
) -> None:
    child = TaskChild(tmp_path)
    child.listen()
    assert client.get("/").status_code == 200
    assert begun == []
    assert client.get(path).status_code == 200
    assert len(begun) == 1


def test_nothing_is_begun_by_a_club_that_stops(tmp_path: Path, begun: list[list[str]]) -> None:
    child = TaskChild(tmp_path)
    child.listen()
    child.stop()
    work_is_near.send(TaskChild)
    assert begun == []


def test_a_child_ends_with_the_input_that_its_parent_holds(tmp_path: Path) -> None:
    club = [sys.executable, "-m", "crownhead.cli"]
    subprocess.run(
        [*club, "admin", "create", "warden", "--data", str(tmp_path)], check=True, stdout=subprocess.DEVNULL
    )
    with subprocess.Popen(
        [*club, "worker", "--child", "--data", str(tmp_path)], stdin=subprocess.PIPE
    ) as child:
        assert child.stdin is not None
        time.sleep(0.1)
        assert child.poll() is None
        child.stdin.close()
        assert child.wait(60) == 0
