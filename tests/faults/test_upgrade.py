"""The old version and the new one serve one database side by side while games are played.

The old version is the commit before the newest migration, or the one that ``UPGRADE_FROM`` names.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from zipfile import ZipFile

import psycopg
import pytest

from crownhead import _kernel
from tests.club import Club
from tests.faults.figures import report_matches
from tests.faults.proxy import Proxy
from tests.faults.storm import storm
from tests.faults.test_kills import LIMITS, MATCHES, needs_postgres, stopped_at_the_end
from tests.faults.waiting import go_on, wait_until
from tests.house.tree import HOUSE
from tests.postgres import new_cluster

pytestmark = pytest.mark.nightly

FROM = "UPGRADE_FROM"
KEY = "the same for all hosts " * 3
MIGRATIONS = ":(glob)src/crownhead/server/*/migrations/*.py"
KERNEL = ("native", "src/crownhead/rules")  # what the compiled module is made from


def git(*arguments: str) -> str:
    """What git answers; empty where it fails, as outside of a repository."""
    done = subprocess.run(["git", *arguments], cwd=HOUSE, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


@pytest.fixture
def older(tmp_path: Path) -> Iterator[str]:
    """A Python that runs the old version: its sources, with this one's compiled module where that fits."""
    newest = git("log", "-1", "--format=%H", "--", MIGRATIONS)
    commit = os.environ.get(FROM) or (newest and git("rev-parse", f"{newest}^"))
    if not commit or not git("cat-file", "-t", commit):
        pytest.skip("the history of the repository is not here")
    tree = tmp_path / "older"
    git("worktree", "add", "--detach", str(tree), commit)
    compiled = Path(_kernel.__file__ or "")
    if git("diff", "--name-only", commit, "HEAD", "--", *KERNEL):
        compiled = _compile(tree, tmp_path / "compiled")
    shutil.copy(compiled, tree / "src" / "crownhead" / compiled.name)
    python = tmp_path / "python"
    script = Path(__file__).with_name("older.py")
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{script}" "{tree / "src"}" "$@"\n')
    python.chmod(0o700)
    try:
        yield str(python)
    finally:
        git("worktree", "remove", "--force", str(tree))


def _compile(tree: Path, folder: Path) -> Path:
    """The kernel of another commit: a few minutes."""
    build = ["pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder)]
    subprocess.run(
        [sys.executable, "-m", *build, str(tree)],
        check=True,
        env=os.environ | {"CMAKE_GENERATOR": "Unix Makefiles"},  # a package of the site is called ninja
    )
    (wheel,) = folder.glob("crownhead-*.whl")
    with ZipFile(wheel) as packed:
        (name,) = [name for name in packed.namelist() if Path(name).match("crownhead/_kernel*.so")]
        return Path(packed.extract(name, folder))


@needs_postgres
def test_old_and_new_serve_side_by_side_and_no_request_is_lost(tmp_path: Path, older: str) -> None:
    with new_cluster(is_durable=True) as cluster, ExitStack() as stack:
        environment = {"DATABASE_URL": cluster.url, "CROWNHEAD_DRAIN_SECONDS": "2"}
        old = [_host(tmp_path / name, environment, python=older) for name in ("old-1", "old-2")]
        new = [_host(tmp_path / name, environment) for name in ("new-1", "new-2")]
        proxy = Proxy([host.port for host in (*old, *new)])
        stack.callback(proxy.stop)
        for host in old:
            stack.callback(_end, host)
            host.start()
        before = _applied(cluster.url)
        for host in new:
            stack.enter_context(stopped_at_the_end(host))
        with storm(Club(new[0].data, port=proxy.port), matches=MATCHES, seed=16) as matches:
            for leaving, coming in zip(old, new, strict=True):
                go_on(matches)
                coming.start()  # the first one migrates, beside two that know nothing of it
                wait_until(lambda coming=coming: coming.port in proxy.ready)  # type: ignore[misc]
                assert _applied(cluster.url) > before
                go_on(matches)
                assert leaving.stop() == 0
            go_on(matches)
        for match in matches:
            match.expect_caught_up()
        assert proxy.unanswered == 0
        report_matches(len(old) + len(new), matches)


def _end(host: Club) -> None:
    if host.process is not None:
        host.kill()


def _applied(url: str) -> int:
    """How many migrations the database has had."""
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT COUNT(*) FROM django_migrations").fetchone()
    return 0 if row is None else int(row[0])


def _host(folder: Path, environment: dict[str, str], *, python: str = sys.executable) -> Club:
    """A host with its own data folder and the key that all have."""
    folder.mkdir(mode=0o700)
    (folder / "settings.toml").write_text(LIMITS)
    (folder / "secret_key").write_text(KEY)
    (folder / "secret_key").chmod(0o600)
    return Club(folder, command="web", environment=environment, python=python)
