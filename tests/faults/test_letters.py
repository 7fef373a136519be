"""Killing any process at any time loses no letter; one that leaves twice has the same Message-ID.

Members sign up while games are played and processes are killed; each gets a letter to confirm the address.
"""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.club import Club, Player
from tests.faults.figures import report
from tests.faults.smtp_sink import Sink, smtp_sink
from tests.faults.storm import AWAY, insist
from tests.faults.test_kills import (
    KILLS,
    LIMITS,
    kill_again_and_again,
    needs_postgres,
    processes_of,
    stopped_at_the_end,
)
from tests.postgres import new_cluster

pytestmark = [pytest.mark.nightly, pytest.mark.timeout(KILLS * 70 + 1200)]

LEASE = 300.0  # seconds after which what was leaving when its sender died leaves again
PAUSE = 0.1  # seconds between two who sign up
DOMAIN = "@letters.example"
SLACK = 60.0  # seconds for a busy machine


class SignUps(threading.Thread):
    """Members who sign up one after the other; each whose sign-up was acknowledged is to get a letter."""

    def __init__(self, club: Club) -> None:
        super().__init__(daemon=True)
        self.acknowledged: list[str] = []
        self.failure: BaseException | None = None
        self._visitor, self._over = Player(club.port, ""), threading.Event()

    def run(self) -> None:
        """Sign up until told to finish."""
        number = 0
        try:
            while not self._over.wait(PAUSE):
                number += 1
                self._sign_up(f"letter-{number}")
        except BaseException as failure:
            self.failure = failure

    def _sign_up(self, name: str) -> None:
        address = f"{name}{DOMAIN}"
        account = {"username": name, "email": address, "password": f"a long word for {name}"}
        try:
            answer = self._visitor.call("POST", "/accounts", account)
        except AWAY:
            insist(self._visitor, "GET", "/variants")  # it may have been stored or not: not acknowledged
            return
        if answer.status not in {502, 503}:
            assert answer.status == 201, answer
            self.acknowledged.append(address)

    def finish(self) -> None:
        """End after the current one."""
        self._over.set()
        self.join(SLACK)
        assert not self.is_alive()
        if self.failure is not None:
            raise self.failure


@contextmanager
def club_with_mail(folder: Path, *, workers: int = 1, database: str = "") -> Iterator[tuple[Club, Sink]]:
    """A club without limits that runs, and the mail server that it sends by."""
    with smtp_sink(folder.parent, seed=1) as sink:
        folder.mkdir()
        (folder / "settings.toml").write_text(f'smtp = "smtps://localhost:{sink.port}"\n{LIMITS}')
        environment = {"SSL_CERT_FILE": str(sink.certificate)}
        if database:
            environment["DATABASE_URL"] = database
        club = Club(folder, workers=workers, environment=environment)
        club.start()
        with stopped_at_the_end(club):
            yield club, sink


def kill_while_letters_leave(
    club: Club, sink: Sink, kill: Callable[[random.Random], None], *, seed: int
) -> None:
    """Kill again and again; every letter arrives, and again only under its own Message-ID."""
    asking = SignUps(club)
    asking.start()
    try:
        kill_again_and_again(club, kill, seed=seed)
    finally:
        asking.finish()
    time.sleep(LEASE)  # what was leaving at the last kill
    until = time.monotonic() + SLACK
    while missing := set(asking.acknowledged) - set(sink.got()):
        assert time.monotonic() < until, f"letters that never arrived: {sorted(missing)}\n{club.log()[-999:]}"
        time.sleep(0.5)
    time.sleep(SLACK / 4)  # and what leaves twice
    # Players get letters of several kinds, those who only signed up one.
    got = {address: ids for address, ids in sink.got().items() if address.endswith(DOMAIN)}
    other = {address: ids for address, ids in got.items() if len(set(ids)) != 1}
    assert not other, f"letters that came again as others: {other}"
    assert len(asking.acknowledged) > KILLS
    twice = sum(len(ids) - 1 for ids in got.values())
    report(
        f"{KILLS} faults; {len(asking.acknowledged)} letters of acknowledged requests, "
        f"{len(got)} arrived in all, {twice} of them once more with the same Message-ID; none lost"
    )


def test_letters_survive_kills_of_the_whole_server(tmp_path: Path) -> None:
    with club_with_mail(tmp_path / "club") as (club, sink):

        def kill(_dice: random.Random) -> None:
            club.kill()
            club.start()

        kill_while_letters_leave(club, sink, kill, seed=11)


@needs_postgres
def test_letters_survive_kills_of_processes_on_postgresql(tmp_path: Path) -> None:
    with (
        new_cluster(is_durable=True) as cluster,
        club_with_mail(tmp_path / "club", workers=2, database=cluster.url) as (club, sink),
    ):

        def kill(dice: random.Random) -> None:
            os.kill(dice.choice(processes_of(club)), signal.SIGKILL)

        kill_while_letters_leave(club, sink, kill, seed=12)
