"""Runs the real server in a process of its own, with a client of its HTTP API."""

from __future__ import annotations

import fcntl
import http.client
import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from crownhead.rules.variants import VARIANTS

START_SECONDS = 180  # on a busy machine; usually it takes three
COLLECTED = "CROWNHEAD_TESTS_COLLECTED"  # a folder where clubs share what a first start makes
_DATABASE = "db.sqlite3"
_VARIANTS = len(VARIANTS)  # without those that a test registers


def free_port() -> int:
    """A free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@dataclass(slots=True)
class Club:
    """A server on one data folder; it can be started, killed and started again."""

    data: Path
    port: int = field(default_factory=free_port)
    environment: dict[str, str] = field(default_factory=dict)
    command: str = "serve"
    workers: int = 1
    python: str = sys.executable
    host: str = "127.0.0.1"
    through: tuple[str, ...] = ()  # a command that runs it on another host
    process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """The root of the site."""
        return f"http://{self.host}:{self.port}"

    def start(self) -> None:
        """Start the server and wait until it answers."""
        with self._sharing() as shares:
            self._launch()
            if shares:
                self._share()

    def _launch(self) -> None:
        command = [
            *self.through,
            self.python,
            "-m",
            "crownhead.cli",
            self.command,
            "--host",
            self.host,
            "--port",
            str(self.port),
            "--data",
            str(self.data),
            "--workers",
            str(self.workers),
        ]
        with (self.data.parent / f"{self.data.name}.log").open("ab") as log:
            self.process = subprocess.Popen(
                command,
                stdout=log,
                stderr=log,
                env={**os.environ, **self.environment},
                start_new_session=True,
            )
        self._wait_for("the server did not start", self._answers)

    def _wait_for(self, otherwise: str, happens: Callable[[], bool]) -> None:
        assert self.process is not None
        deadline = time.monotonic() + START_SECONDS
        while not happens():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise AssertionError(f"{otherwise}:\n{self.log()[-4000:]}")
            time.sleep(0.1)

    def kill(self) -> None:
        """Send SIGKILL to the server and its child processes."""
        self._signal(signal.SIGKILL)

    def stop(self) -> int:
        """Stop the server and return its exit status."""
        return self._signal(signal.SIGTERM)

    def log(self) -> str:
        """The output of the server."""
        return (self.data.parent / f"{self.data.name}.log").read_text(errors="replace")

    def asked(self, path: str, *, patience: float = 30) -> tuple[int, str | None]:
        """Open a page as a guest; its status and Retry-After."""
        status, retry_after, _text = self._opened(path, patience)
        return status, retry_after

    def page(self, path: str) -> str:
        """What a guest gets at an address, which must be a page."""
        status, _retry_after, text = self._opened(path, patience=60)
        assert status == 200, f"{path}: {status} {text[:300]}"
        return text

    def _opened(self, path: str, patience: float) -> tuple[int, str | None, str]:
        """What a guest is answered: the status, Retry-After and the text."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=patience)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.headers.get("Retry-After"), answer.read().decode(errors="replace")
        finally:
            connection.close()

    @property
    def _shared(self) -> Path | None:
        """Where what this installation makes at a first start is shared: it takes most of its time."""
        folder = os.environ.get(COLLECTED)
        return None if folder is None or self.python != sys.executable else Path(folder) / "first-start"

    @contextmanager
    def _sharing(self) -> Iterator[bool]:
        """Begin with static files and a database of another club; whether this one shares its own.

        The server sees whether they are current. A club with variants of its own makes its own database. The
        first plain one makes everything, and others that start meanwhile wait for it.
        """
        keeps_rows_here = "DATABASE_URL" not in {**os.environ, **self.environment}
        is_new = not self.data.exists() or not any(self.data.iterdir())
        is_plain = is_new and keeps_rows_here and self.command == "serve" and not self.environment
        if self._shared is None:
            yield False
        elif not is_plain or self._shared.exists():
            self._begin_with_what_is_shared(keeps_rows_here)
            yield False
        else:
            with (self._shared.parent / "lock").open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                is_first = not self._shared.exists()
                self._begin_with_what_is_shared(keeps_rows_here)
                if not is_first:
                    fcntl.flock(lock, fcntl.LOCK_UN)
                yield is_first

    def _begin_with_what_is_shared(self, keeps_rows_here: bool) -> None:
        if self._shared is None or not self._shared.exists():
            return
        static, database = self.data / "static", self.data / _DATABASE
        self.data.mkdir(mode=0o700, exist_ok=True)
        if not static.exists():
            shutil.copytree(self._shared / "static", static)
        if keeps_rows_here and not database.exists() and not (self.data / "variants").exists():
            shutil.copy(self._shared / _DATABASE, database)

    def _share(self) -> None:
        assert self._shared is not None
        self._wait_for("the ladders were not opened", self._has_its_ladders)
        draft = Path(tempfile.mkdtemp(dir=self._shared.parent)) / "draft"
        shutil.copytree(self.data / "static", draft / "static")
        with (
            closing(sqlite3.connect(self.data / _DATABASE)) as source,
            closing(sqlite3.connect(draft / _DATABASE)) as copy,
        ):
            source.backup(copy)
            with copy:
                copy.execute("DELETE FROM play_heartbeat")  # or a later club has been away since then
        (draft / _DATABASE).chmod(0o600)
        draft.rename(self._shared)

    def _has_its_ladders(self) -> bool:
        """Whether the first work in the background, which takes as long as the start, is done."""
        with closing(sqlite3.connect(self.data / _DATABASE)) as rows:
            (variants,) = rows.execute("SELECT count(DISTINCT variant) FROM ladders_ladder").fetchone()
        return int(variants) == _VARIANTS

    def _signal(self, number: signal.Signals) -> int:
        assert self.process is not None
        if self.process.poll() is None:
            os.killpg(self.process.pid, number)
        status = self.process.wait(timeout=90)
        self.process = None
        return status

    def _answers(self) -> bool:
        connection = http.client.HTTPConnection(self.host, self.port, timeout=5)
        try:
            connection.request("GET", "/health")
            response = connection.getresponse()
            response.read()
            return response.status == 200
        except OSError:
            return False
        finally:
            connection.close()


@dataclass(slots=True)
class Answer:
    """The status and the parsed body of a response."""

    status: int
    body: Any


@dataclass(slots=True)
class Player:
    """A client of the API with its own token."""

    port: int
    username: str
    token: str = ""
    host: str = "127.0.0.1"
    patience: float = 30  # seconds for an answer

    def register(self) -> None:
        """Create the account and get a token."""
        password = f"a long word for {self.username}"
        account = {"username": self.username, "email": f"{self.username}@example.org", "password": password}
        self.expect(201, "POST", "/accounts", account)
        self.token = self.expect(201, "POST", "/tokens", {"username": self.username, "password": password})[
            "token"
        ]

    def call(self, method: str, path: str, body: object = None) -> Answer:
        """Send a request to ``/api/v1`` + ``path``."""
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        connection = http.client.HTTPConnection(self.host, self.port, timeout=self.patience)
        try:
            payload = None if body is None else json.dumps(body)
            connection.request(method, f"/api/v1{path}", payload, headers)
            response = connection.getresponse()
            text = response.read().decode()
            is_json = "json" in response.headers.get("Content-Type", "")
            return Answer(response.status, json.loads(text) if is_json and text else text)
        finally:
            connection.close()

    def expect(self, status: int, method: str, path: str, body: object = None) -> Any:
        """Send a request that must be answered with this status; the body."""
        answer = self.call(method, path, body)
        assert answer.status == status, f"{method} {path}: {answer.status} {answer.body}"
        return answer.body
