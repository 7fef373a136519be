"""A PostgreSQL of one's own for tests: a cluster in a folder, reached by a socket there, gone afterwards."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

_DEBIAN = Path("/usr/lib/postgresql")
_FAST = "-c fsync=off -c full_page_writes=off -c synchronous_commit=off -c max_connections=200"


def programs() -> Path | None:
    """The folder of the newest initdb and pg_ctl on this machine."""
    places = sorted(_DEBIAN.glob("*/bin"), key=lambda path: float(path.parent.name))
    found = [place for place in places if (place / "initdb").exists()]
    on_path = shutil.which("initdb")
    return found[-1] if found else Path(on_path).parent if on_path else None


@contextmanager
def cluster() -> Iterator[str]:
    """The URL of an empty database, while the block runs."""
    where = programs()
    if where is None:
        raise FileNotFoundError("expected initdb on this machine; Debian's package is postgresql")
    folder = Path(tempfile.mkdtemp(prefix="club-pg-"))
    try:
        if os.geteuid() == 0:  # PostgreSQL refuses to be run by root
            shutil.chown(folder, "postgres")
        _run(where / "initdb", "-D", folder / "data", "-U", "club", "-A", "trust", "-E", "UTF8", "-N")
        options = f"-k {folder} -c listen_addresses='' {_FAST}"
        _run(where / "pg_ctl", "-D", folder / "data", "-w", "-l", folder / "log", "-o", options, "start")
        try:
            yield f"postgres://club@{quote(str(folder), safe='')}/postgres"
        finally:
            _run(where / "pg_ctl", "-D", folder / "data", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(program: Path, *arguments: object) -> None:
    command = [str(program), *map(str, arguments)]
    if os.geteuid() == 0:
        command = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", *command]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd="/", timeout=120)


if __name__ == "__main__":  # python -m tests.postgres COMMAND…: run it with DATABASE_URL set
    with cluster() as url:
        sys.exit(
            subprocess.run(sys.argv[1:], env={**os.environ, "DATABASE_URL": url}, check=False).returncode
        )
