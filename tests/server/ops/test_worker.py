"""The worker runs every task once, and a child worker ends with its parent."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.db import OperationalError
from django.test import Client
from django_tasks_db.models import DBTaskResult

from crownhead.server.core import clock
from crownhead.server.core.background.throttling import rest
from crownhead.server.core.processes.queues import REPLIES, STUDIES, work_expected
from crownhead.server.ops.processes import worker
from crownhead.server.ops.processes.sweeper import Sweeper
from crownhead.server.ops.processes.task_process import TaskProcess
from crownhead.server.ops.processes.worker import TaskWorkers, run_ready_tasks
from crownhead.server.ops.starting.first_start import WRONG_USAGE
from tests.server.ops import sample_tasks

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


@pytest.mark.django_db(transaction=True)
def test_every_task_runs_even_after_one_has_failed(tmp_path: Path) -> None:
    failing = sample_tasks.fail.enqueue()
    writing = sample_tasks.write.enqueue(str(tmp_path / "note"))
    assert run_ready_tasks()
    assert (tmp_path / "note").read_text("utf-8") == "done"
    failing.refresh()
    writing.refresh()
    assert str(failing.status) == "FAILED"
    assert str(writing.status) == "SUCCESSFUL"
    assert not run_ready_tasks()


@pytest.mark.django_db(transaction=True)
def test_tasks_go_on_once_the_database_is_back(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    done = threading.Event()

    def run(*, queue: str, **_facts: object) -> bool:
        calls.append(queue)
        if calls.count(queue) == 1:
            raise OperationalError("the connection is lost")
        if len(set(calls)) == 3 and min(map(calls.count, calls)) > 1:
            done.set()
        return False

    monkeypatch.setattr(worker, "run_ready_tasks", run)
    monkeypatch.setattr(worker, "PAUSE_AFTER_ERROR", 0.01)
    workers = TaskWorkers()
    thread = threading.Thread(target=workers.run)
    thread.start()
    assert done.wait(20)  # each queue has its thread still
    workers.stop()
    thread.join(10)


@pytest.mark.django_db(transaction=True)
def test_an_idle_worker_ends_after_its_idle_life() -> None:
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
def test_tasks_rest_between_rows_but_never_those_of_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    rested: dict[int, float] = {}  # seconds, by thread
    rests: dict[str, float] = {}
    workers = TaskWorkers()

    def look(*, queue: str, excluded: Sequence[str]) -> bool:
        rest(0.02)
        rests[queue] = rested.get(threading.get_ident(), 0)
        if len(rests) == 3:
            workers.stop()
        assert queue != "*" or excluded
        return False

    def wait(event: threading.Event, seconds: float | None = None) -> bool:
        if seconds not in {None, worker.PAUSE}:
            rested[threading.get_ident()] = seconds or 0
        return original(event, seconds)

    original = threading.Event.wait
    monkeypatch.setattr(threading.Event, "wait", wait)
    monkeypatch.setattr(worker, "run_ready_tasks", look)
    workers.run()
    assert rests == {"*": pytest.approx(0.02), REPLIES: 0, STUDIES: 0}


@pytest.mark.django_db(transaction=True)
def test_finished_tasks_are_deleted_after_a_week(tmp_path: Path) -> None:
    sample_tasks.write.enqueue(str(tmp_path / "note"))
    run_ready_tasks()
    Sweeper().sweep(clock.now() + timedelta(days=6))
    assert DBTaskResult.objects.count() == 1
    Sweeper().sweep(clock.now() + timedelta(days=8))
    assert DBTaskResult.objects.count() == 0


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands of the processes that were started; none ever ends by itself."""
    return stand_in(monkeypatch, status=None)


def stand_in(monkeypatch: pytest.MonkeyPatch, *, status: int | None) -> list[list[str]]:
    """Processes that have ended with a status, or run; the commands of those that were started."""
    commands: list[list[str]] = []

    class FakeProcess:
        """Stands in for a process."""

        stdin = None

        def __init__(self, command: list[str], **_: object) -> None:
            commands.append(command)

        def poll(self) -> int | None:
            return status

        def wait(self, _seconds: float) -> None:
            """It ends at once when it is waited for."""

    monkeypatch.setattr(subprocess, "Popen", FakeProcess)
    return commands


@pytest.mark.django_db(transaction=True)
def test_the_process_is_started_only_when_there_is_a_task(tmp_path: Path, started: list[list[str]]) -> None:
    child = TaskProcess(tmp_path)
    child.ensure_running(NOON)
    assert started == []
    sample_tasks.fail.enqueue()
    child.ensure_running(NOON)
    child.ensure_running(NOON)  # it is already running
    assert started == [[sys.executable, "-m", "crownhead.cli", "worker", "--child"]]


@pytest.mark.django_db(transaction=True)
def test_enqueueing_a_task_starts_the_process_once(tmp_path: Path, started: list[list[str]]) -> None:
    child = TaskProcess(tmp_path)
    child.start_on_demand()
    sample_tasks.fail.enqueue()
    sample_tasks.fail.enqueue()
    assert len(started) == 1


@pytest.mark.parametrize(("status", "times"), [(0, 2), (1, 2), (WRONG_USAGE, 1)])
def test_a_process_that_cannot_go_on_with_the_files_it_finds_is_not_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int, times: int
) -> None:
    started = stand_in(monkeypatch, status=status)
    child = TaskProcess(tmp_path)
    child.start_on_demand()
    work_expected.send(TaskProcess)
    work_expected.send(TaskProcess)
    assert len(started) == times


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/new/computer/", "/analysis/"])
def test_a_page_that_offers_the_engine_starts_the_process(
    tmp_path: Path, started: list[list[str]], client: Client, path: str
) -> None:
    child = TaskProcess(tmp_path)
    child.start_on_demand()
    assert client.get("/").status_code == 200
    assert started == []
    assert client.get(path).status_code == 200
    assert len(started) == 1


def test_a_site_that_is_stopping_starts_no_process(tmp_path: Path, started: list[list[str]]) -> None:
    child = TaskProcess(tmp_path)
    child.start_on_demand()
    child.stop()
    work_expected.send(TaskProcess)
    assert started == []


def test_a_child_worker_ends_when_its_stdin_closes(tmp_path: Path) -> None:
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


def test_a_worker_imports_the_addresses_of_games_before_its_first_task(tmp_path: Path) -> None:
    code = """
import sys
import django
django.setup()
from crownhead.server.ops.processes import worker
worker.TaskWorkers.run = lambda _self: print("crownhead.server.pages.urls" in sys.modules)
worker.run_child()
"""
    environment = {
        **os.environ,
        "CROWNHEAD_DATA": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "crownhead.server.config.settings",
    }
    told = subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout == "True\n"
