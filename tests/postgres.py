"""A PostgreSQL of one's own for tests: a cluster in a folder, reached by a socket there, gone afterwards."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

_MANAGE = Path(__file__).parents[1] / "manage.py"
_DEBIAN = Path("/usr/lib/postgresql")
_FAST = "-c fsync=off -c full_page_writes=off -c max_connections=200"
_FORGETFUL = "-c synchronous_commit=off"  # a cluster that is killed may lose what it has acknowledged


def programs() -> Path | None:
    """The folder of the newest initdb and pg_ctl on this machine."""
    places = sorted(_DEBIAN.glob("*/bin"), key=lambda path: float(path.parent.name))
    found = [place for place in places if (place / "initdb").exists()]
    on_path = shutil.which("initdb")
    return found[-1] if found else Path(on_path).parent if on_path else None


@dataclass(frozen=True, slots=True)
class Cluster:
    """A cluster in a folder; it can be stopped, killed and started again."""

    folder: Path
    programs: Path
    is_durable: bool
    host: str = ""  # it listens there, beside its socket
    port: int = 5432
    through: tuple[str, ...] = ()  # a command that runs it on another host
    options: str = ""

    @property
    def url(self) -> str:
        """Of its only database."""
        place = f"{self.host}:{self.port}" if self.host else quote(str(self.folder), safe="")
        return f"postgres://club@{place}/postgres"

    def start(self) -> None:
        """Start the server and wait until it answers."""
        options = (
            f"-k {self.folder} -p {self.port} -c listen_addresses='{self.host}' {self.options} "
            f"{_FAST} {'' if self.is_durable else _FORGETFUL}"
        )
        self._control("-w", "-l", self.folder / "log", "-o", options, "start")

    def stop(self, mode: str = "immediate") -> None:
        """Stop the server; ``fast`` rolls back what is open, ``immediate`` just ends."""
        self._control("-m", mode, "stop")

    def stop_if_it_runs(self) -> None:
        """Stop what has not been stopped or killed."""
        with suppress(subprocess.CalledProcessError):
            self.stop()

    def kill(self) -> None:
        """Kill all of it at once, as the loss of its machine does."""
        for process in self.processes():
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    def processes(self) -> list[int]:
        """The process of the server, then those that it has started."""
        server = int((self.folder / "data" / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{server}/task/{server}/children").read_text().split()
        return [server, *map(int, children)]

    def ask(self, sql: str) -> str:
        """The rows of a query, as text, by its socket."""
        command = [self.programs / "psql", "-h", self.folder, "-p", self.port, "-U", "club", "-d", "postgres"]
        done = subprocess.run(
            [*map(str, command), "-XAtc", sql], check=True, stdout=subprocess.PIPE, text=True, timeout=60
        )
        return done.stdout.strip()

    def promote(self) -> None:
        """Make a standby take over."""
        self._control("-w", "promote")

    def _control(self, *arguments: object) -> None:
        _run(self.programs / "pg_ctl", "-D", self.folder / "data", *arguments, through=self.through)


@contextmanager
def standby_of(primary: Cluster, *, port: int, name: str) -> Iterator[Cluster]:
    """A standby that follows a cluster while the block runs; its name is what the primary knows it by."""
    folder = Path(tempfile.mkdtemp(prefix="club-pg-"))
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        source = f"host={primary.host} port={primary.port} user=club application_name={name}"
        _run(primary.programs / "pg_basebackup", "-D", folder / "data", "-d", source, "-R", "-c", "fast")
        standby = replace(primary, folder=folder, port=port)
        standby.start()
        try:
            yield standby
        finally:
            standby.stop_if_it_runs()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def new_cluster(
    *,
    is_durable: bool = False,
    host: str = "",
    port: int = 5432,
    through: tuple[str, ...] = (),
    options: str = "",
) -> Iterator[Cluster]:
    """A cluster that runs while the block does, unless it is stopped there; if durable, it may be killed.

    With a ``host`` it also listens at that address of the machine that it is run on ``through`` a command.
    """
    where = programs()
    if where is None:
        raise FileNotFoundError("expected initdb on this machine; Debian's package is postgresql")
    folder = Path(tempfile.mkdtemp(prefix="club-pg-"))
    try:
        if os.geteuid() == 0:  # PostgreSQL refuses to be run by root
            shutil.chown(folder, "postgres")
        _run(where / "initdb", "-D", folder / "data", "-U", "club", "-A", "trust", "-E", "UTF8", "-N")
        if host:
            with (folder / "data" / "pg_hba.conf").open("a") as rules:
                rules.write("host all,replication all all trust\n")
        cluster = Cluster(folder, where, is_durable, host, port, through, options)
        cluster.start()
        try:
            yield cluster
        finally:
            cluster.stop_if_it_runs()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(program: Path, *arguments: object, through: tuple[str, ...] = ()) -> None:
    command = [str(program), *map(str, arguments)]
    if os.geteuid() == 0:
        command = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", *command]
    subprocess.run([*through, *command], check=True, stdout=subprocess.DEVNULL, cwd="/", timeout=120)


def _migrate_template(cluster: Cluster) -> None:
    """Run the migrations once: every database that is made afterwards is a copy."""
    url = cluster.url.removesuffix("/postgres") + "/template1"
    with tempfile.TemporaryDirectory() as data:
        environment = {**os.environ, "DATABASE_URL": url, "CROWNHEAD_DATA": data}
        command = [sys.executable, str(_MANAGE), "migrate", "--verbosity", "0"]
        subprocess.run(command, env=environment, check=True, timeout=600)


if __name__ == "__main__":  # python -m tests.postgres COMMAND…: run it with DATABASE_URL set
    with new_cluster() as cluster:
        _migrate_template(cluster)
        environment = {**os.environ, "DATABASE_URL": cluster.url}
        sys.exit(subprocess.run(sys.argv[1:], env=environment, check=False).returncode)
