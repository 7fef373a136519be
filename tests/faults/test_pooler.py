"""A club behind PgBouncer in transaction mode, where every transaction may get another session."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.club import free_port
from tests.faults.storm import storm
from tests.faults.test_kills import MATCHES, needs_postgres, new_club, stopped_at_the_end
from tests.faults.waiting import go_on, wait_until
from tests.postgres import Cluster, new_cluster

PROGRAM = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
needs_pgbouncer = pytest.mark.skipif(PROGRAM is None, reason="PgBouncer is not on this machine")
pytestmark = [pytest.mark.nightly, needs_postgres, needs_pgbouncer]

HERE = "127.0.0.1"
SESSIONS = 3  # fewer than the club has threads, so that they are passed on all the time


@dataclass(slots=True)
class Pooler:
    """A PgBouncer that can be killed and started again."""

    url: str
    command: list[str]
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it; that it answers is the club's to see."""
        self.process = subprocess.Popen(self.command)

    def kill(self) -> None:
        """Kill it, if it runs."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


@contextmanager
def pooler_before(cluster: Cluster) -> Iterator[Pooler]:
    """A pooler that runs while the block does; its files are beside those of the cluster."""
    folder = cluster.folder / "pooler"
    folder.mkdir()
    port = free_port()
    (folder / "users").write_text('"club" ""\n')
    (folder / "pgbouncer.ini").write_text(
        f"[databases]\npostgres = host={cluster.host} port={cluster.port}\n"
        f"[pgbouncer]\nlisten_addr = {HERE}\nlisten_port = {port}\nunix_socket_dir =\n"
        f"auth_type = trust\nauth_file = {folder}/users\npool_mode = transaction\n"
        f"default_pool_size = {SESSIONS}\nmax_client_conn = 200\nlogfile = {folder}/log\n"
    )
    command = [str(PROGRAM), "-q", str(folder / "pgbouncer.ini")]
    if os.geteuid() == 0:  # which PgBouncer refuses to be
        subprocess.run(["chown", "-R", "postgres", folder], check=True)
        command = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", *command]
    pooler = Pooler(f"postgres://club@{HERE}:{port}/postgres", command)
    pooler.start()
    try:
        yield pooler
    finally:
        pooler.kill()


def test_play_behind_a_pooler(tmp_path: Path) -> None:
    with (
        new_cluster(is_durable=True, host=HERE, port=free_port()) as cluster,
        pooler_before(cluster) as pooler,
    ):
        urls = {"DATABASE_URL": pooler.url, "DATABASE_DIRECT_URL": cluster.url}
        club = new_club(tmp_path / "club", workers=2, environment=urls)
        with stopped_at_the_end(club):
            with storm(club, matches=MATCHES, seed=12) as matches:
                for _ in range(5):
                    go_on(matches)
                sessions = cluster.ask("SELECT query FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")
                assert len(sessions.splitlines()) == 2, "each of two processes listens past the pooler"
            for match in matches:
                match.expect_caught_up()
            copy = [
                club.python,
                "-m",
                "crownhead.cli",
                "backup",
                str(tmp_path / "copies"),
                "--data",
                str(club.data),
            ]
            subprocess.run(copy, check=True, env={**os.environ, **urls})


def test_a_pooler_that_dies_is_a_database_that_is_away(tmp_path: Path) -> None:
    with (
        new_cluster(is_durable=True, host=HERE, port=free_port()) as cluster,
        pooler_before(cluster) as pooler,
    ):
        urls = {"DATABASE_URL": pooler.url, "DATABASE_DIRECT_URL": cluster.url}
        club = new_club(tmp_path / "club", environment=urls)
        with stopped_at_the_end(club):
            with storm(club, matches=MATCHES, seed=13) as matches:
                go_on(matches)
                pooler.kill()
                try:
                    wait_until(lambda: club.asked("/") == (503, "5"))
                finally:
                    pooler.start()
                wait_until(lambda: club.asked("/")[0] == 200)
                go_on(matches)
            for match in matches:
                match.expect_caught_up()
