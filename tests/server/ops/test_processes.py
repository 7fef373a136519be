"""Several processes under one parent: started again, stopped together, ended with the parent."""

from __future__ import annotations

import http.client
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.club import Club, Player

PROGRAM = """
import os, signal, sys, threading
from crownhead.server.ops.processes.supervision import Processes

def write(line):
    os.write(1, f"{line}\\n".encode())  # in one piece

def work(name):
    def run(first):
        stop = threading.Event()
        signal.signal(signal.SIGTERM, lambda *_: stop.set())
        write(f"{name} {'first' if first else 'again'}")
        stop.wait()
        write(f"{name} stops")
    return run

def fail(first):
    sys.exit("cannot start")

works = {name: fail if name == "bad" else work(name) for name in sys.argv[1:]}
sys.exit(0 if Processes(works).run() else 1)
"""


@pytest.fixture
def family() -> Iterator[subprocess.Popen[str]]:
    parent = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "one", "two"], stdout=subprocess.PIPE, text=True
    )
    with parent:
        yield parent
        parent.kill()


def printed(parent: subprocess.Popen[str], lines: int) -> set[str]:
    """The next lines that the processes print."""
    assert parent.stdout is not None
    return {parent.stdout.readline().strip() for _ in range(lines)}


def children(parent: int) -> list[int]:
    """The processes of a parent."""
    return [int(pid) for pid in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]


def test_all_stop_with_the_parent_and_it_says_that_all_was_well(family: subprocess.Popen[str]) -> None:
    assert printed(family, 2) == {"one first", "two first"}
    family.terminate()
    assert printed(family, 2) == {"one stops", "two stops"}
    assert family.wait(60) == 0


def test_a_process_that_is_killed_is_started_again(family: subprocess.Popen[str]) -> None:
    printed(family, 2)
    os.kill(children(family.pid)[0], signal.SIGKILL)
    assert printed(family, 1) <= {"one again", "two again"}


def test_no_process_outlives_its_parent(family: subprocess.Popen[str]) -> None:
    printed(family, 2)
    family.kill()
    assert printed(family, 2) == {"one stops", "two stops"}


def test_a_process_that_cannot_start_stops_the_others() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "one", "bad"], capture_output=True, text=True, timeout=30, check=False
    )
    assert done.returncode == 1
    assert "cannot start" in done.stderr


def test_a_worker_that_is_killed_takes_no_other_with_it(tmp_path: Path) -> None:
    club = Club(tmp_path / "club", workers=2)
    club.start()
    assert club.process is not None
    try:
        before = children(club.process.pid)
        assert len(before) == 3  # two that answer requests, and one for jobs
        for victim in before:
            os.kill(victim, signal.SIGKILL)
        Player(club.port, "alice").register()
        deadline = time.monotonic() + 60
        # A process that has been killed is a child until its parent has noticed.
        while len(after := children(club.process.pid)) < 3 or {*after} & {*before}:
            assert time.monotonic() < deadline
            time.sleep(0.05)
    finally:
        assert club.stop() == 0
    assert len(re.findall(r"ended with -9; starting another", club.log())) == 3


def test_workers_count_what_a_member_does_together(tmp_path: Path) -> None:
    club = Club(tmp_path / "club", workers=3)
    club.data.mkdir()
    (club.data / "settings.toml").write_text('[limits]\nsignup = "4/h"\n')
    club.start()
    try:
        answers = [
            Player(club.port, name).call(
                "POST",
                "/accounts",
                {"username": name, "email": f"{name}@example.org", "password": "a long word"},
            )
            for name in ("anna", "bert", "carl", "dora", "emil", "fred")
        ]
    finally:
        club.stop()
    assert [answer.status for answer in answers] == [201] * 4 + [429] * 2


def test_workers_count_the_streams_of_a_member_together(tmp_path: Path) -> None:
    club = Club(tmp_path / "club", workers=3)
    club.data.mkdir()
    (club.data / "settings.toml").write_text("streams_per_member = 4\n")
    club.start()
    try:
        player = Player(club.port, "anna")
        player.register()
        streams = []
        statuses = []
        for _ in range(8):
            connection = http.client.HTTPConnection("127.0.0.1", club.port, timeout=30)
            connection.request("GET", "/api/v1/events", headers={"Authorization": f"Bearer {player.token}"})
            answer = connection.getresponse()
            statuses.append(answer.status)
            if answer.status == 200:
                answer.fp.readline()
            streams.append((connection, answer))
        for connection, answer in streams:
            answer.close()
            connection.close()
    finally:
        club.stop()
    assert statuses == [200] * 4 + [429] * 4


def test_any_worker_tells_the_metrics_of_all(tmp_path: Path) -> None:
    club = Club(tmp_path / "club", workers=3)
    club.start()
    try:
        for number in range(30):
            Player(club.port, "nobody").call("GET", f"/games?page={number}")
        text = metrics_of(club)
    finally:
        club.stop()
    counts = re.findall(r"^crownhead_requests_total\{.*games.*\} (\d+)", text, re.M)
    assert sum(map(int, counts)) == 30, text


def test_a_server_tells_what_its_engine_has_done_and_goes_on_counting(tmp_path: Path) -> None:
    (tmp_path / "club").mkdir()
    club = Club(tmp_path / "club")
    club.start()
    try:
        player = Player(club.port, "alice")
        player.register()
        for expected in (1, 2):
            asked = player.expect(202, "POST", "/analyses", {"variant": "american", "seconds": 1})
            until = time.monotonic() + 60
            while player.expect(200, "GET", f"/analyses/{asked['id']}")["status"] != "done":
                assert time.monotonic() < until
                time.sleep(0.1)
            text = metrics_of(club)
            assert f'crownhead_engine_searches_total{{kind="analysis"}} {expected}.0' in text
            kill_tasks_of(club)
    finally:
        club.stop()
    (seconds,) = re.findall(r'^crownhead_engine_seconds_total\{kind="analysis"\} (.*)', text, re.M)
    assert float(seconds) > 0


def kill_tasks_of(club: Club) -> None:
    """End the process that thinks; the next task starts another."""
    assert club.process is not None
    for child in children(club.process.pid):
        if b"--child" in Path(f"/proc/{child}/cmdline").read_bytes():
            os.kill(child, signal.SIGKILL)


def metrics_of(club: Club) -> str:
    """What any process of the club tells."""
    link = http.client.HTTPConnection("127.0.0.1", club.port, timeout=30)
    link.request("GET", "/metrics")
    text = link.getresponse().read().decode()
    link.close()
    return text


def test_an_end_is_told_by_name_before_another_begins() -> None:
    told = "Processes(works, on_end=lambda _number, name: write(f'{name} has ended'))"
    program = PROGRAM.replace("Processes(works)", told)
    with subprocess.Popen(
        [sys.executable, "-c", program, "one"], stdout=subprocess.PIPE, text=True
    ) as parent:
        try:
            assert printed(parent, 1) == {"one first"}
            os.kill(children(parent.pid)[0], signal.SIGKILL)
            assert parent.stdout is not None
            assert [parent.stdout.readline().strip() for _ in range(2)] == ["one has ended", "one again"]
        finally:
            parent.terminate()
            parent.wait(60)
