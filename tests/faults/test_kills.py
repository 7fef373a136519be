"""Killing any process at any time loses no acknowledged move, makes none twice, and every stream catches up.

`make faults KILLS=1000` kills that often.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.club import Club
from tests.faults.figures import report_matches
from tests.faults.storm import insist, storm
from tests.postgres import Cluster, new_cluster, programs

KILLS = int(os.environ.get("KILLS", "4")) // 4  # in each test
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600 + 20 * KILLS)]

MATCHES = 3
LIMITS = '[limits]\napi = "none"\nmoves = "none"\nstreams = "none"\nsignup = "none"\ntoken = "none"\n'
needs_postgres = pytest.mark.skipif(programs() is None, reason="PostgreSQL is not on this machine")


def new_club(folder: Path, **options: object) -> Club:
    """A club without limits that runs."""
    folder.mkdir()
    (folder / "settings.toml").write_text(LIMITS)
    club = Club(folder, **options)  # type: ignore[arg-type]
    club.start()
    return club


def kill_again_and_again(club: Club, kill: Callable[[random.Random], None], *, seed: int) -> None:
    """Kill during a storm; between the kills the club must do something."""
    dice = random.Random(seed)
    with storm(club, matches=MATCHES, seed=seed) as matches:
        for _ in range(KILLS):
            before = sum(match.acknowledged for match in matches)
            until = time.monotonic() + 60
            while sum(match.acknowledged for match in matches) < before + MATCHES:
                assert all(match.is_alive() for match in matches), [match.failure for match in matches]
                assert time.monotonic() < until, f"nothing went on:\n{club.log()[-3000:]}"
                time.sleep(0.01)
            time.sleep(dice.uniform(0, 0.3))
            kill(dice)
    for match in matches:
        match.expect_caught_up()
    report_matches(KILLS, matches)


def processes_of(club: Club) -> list[int]:
    """The processes that a server of several has started."""
    assert club.process is not None
    parent = club.process.pid
    return [int(pid) for pid in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]


@contextmanager
def stopped_at_the_end(club: Club) -> Iterator[Club]:
    """The club, which must still stop as it should."""
    try:
        yield club
        assert club.stop() == 0
        expect_sound(club)
    finally:
        if club.process is not None:
            club.kill()


class Worker:
    """The process for background work of a club whose pages are served by another."""

    def __init__(self, data: Path, environment: dict[str, str]) -> None:
        self._command = [sys.executable, "-m", "crownhead.cli", "worker", "--data", str(data)]
        self._environment = {**os.environ, **environment}
        self.start()

    def start(self) -> None:
        """Start it."""
        self.process = subprocess.Popen(self._command, env=self._environment, start_new_session=True)

    def kill(self) -> None:
        """Send SIGKILL to it and its child processes."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def __enter__(self) -> Worker:
        """Let it run."""
        return self

    def __exit__(self, *_error: object) -> None:
        """End it."""
        self.kill()


def expect_sound(club: Club) -> None:
    """All records of the club fit together."""
    command = [club.python, "-m", "crownhead.cli", "check", "--data", str(club.data)]
    done = subprocess.run(
        command, env={**os.environ, **club.environment}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_whole_server_is_killed(tmp_path: Path) -> None:
    with stopped_at_the_end(new_club(tmp_path / "club")) as club:

        def kill(_dice: random.Random) -> None:
            club.kill()
            club.start()

        kill_again_and_again(club, kill, seed=1)


def test_one_process_of_several_is_killed(tmp_path: Path) -> None:
    with stopped_at_the_end(new_club(tmp_path / "club", workers=2)) as club:

        def kill(dice: random.Random) -> None:
            os.kill(dice.choice(processes_of(club)), signal.SIGKILL)

        kill_again_and_again(club, kill, seed=2)


@needs_postgres
@pytest.mark.nightly
def test_processes_of_the_club_are_killed_on_postgresql(tmp_path: Path) -> None:
    with new_cluster(is_durable=True) as cluster:
        club = new_club(tmp_path / "club", workers=2, environment={"DATABASE_URL": cluster.url})
        with stopped_at_the_end(club):

            def kill(dice: random.Random) -> None:
                os.kill(dice.choice(processes_of(club)), signal.SIGKILL)

            kill_again_and_again(club, kill, seed=3)


@needs_postgres
@pytest.mark.nightly
def test_pages_and_worker_on_hosts_of_their_own_are_killed(tmp_path: Path) -> None:
    with new_cluster(is_durable=True) as cluster:
        environment = {"DATABASE_URL": cluster.url}
        club = new_club(tmp_path / "club", command="web", environment=environment)
        with stopped_at_the_end(club), Worker(club.data, environment) as worker:

            def kill(dice: random.Random) -> None:
                if dice.random() < 0.5:
                    club.kill()
                    club.start()
                else:
                    worker.kill()
                    worker.start()

            kill_again_and_again(club, kill, seed=6)
            assert worker.process.poll() is None, "the worker goes on"


@needs_postgres
def test_processes_of_the_database_are_killed(tmp_path: Path) -> None:
    with new_cluster(is_durable=True) as cluster:
        club = new_club(tmp_path / "club", environment={"DATABASE_URL": cluster.url})
        with stopped_at_the_end(club):
            kill_again_and_again(club, lambda dice: kill_database(cluster, dice), seed=4)


def kill_database(cluster: Cluster, dice: random.Random) -> None:
    """Kill one of its processes, upon which it recovers, or all of it, and start it again.

    The process that recovers after a kill is spared: without it the server gives up, and has to be started
    again, as systemd would.
    """
    _server, *found = cluster.processes()
    children = [child for child in found if not _recovers(child)]
    if children and dice.random() < 0.7:
        os.kill(dice.choice(children), signal.SIGKILL)
    else:
        cluster.stop()
        cluster.start()


def _recovers(process: int) -> bool:
    try:
        return b"startup" in Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:  # it has ended
        return False


def test_a_game_goes_on_after_a_kill(tmp_path: Path) -> None:
    with stopped_at_the_end(new_club(tmp_path / "club")) as club:
        with storm(club, matches=1, seed=5) as (match,):
            while match.acknowledged < 3:
                time.sleep(0.01)
        club.kill()
        club.start()
        first = match.players[0]
        state = insist(first, "GET", f"/games/{match.games[-1]}").body
        mover = match.players[0 if state["turn"] == "first" else 1]
        body = {"move": state["legal_moves"][0]["notation"], "version": state["version"]}
        after = mover.expect(200, "POST", f"/games/{state['id']}/moves", body)
        assert len(after["moves"]) == len(state["moves"]) + 1
