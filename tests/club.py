"""Runs the real server in a process of its own, with a client of its HTTP API."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

START_SECONDS = 180  # on a busy machine; usually it takes three


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
    python: str = sys.executable
    process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """The root of the site."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start the server and wait until it answers."""
        command = [
            self.python,
            "-m",
            "crownhead.cli",
            self.command,
            "--port",
            str(self.port),
            "--data",
            str(self.data),
        ]
        with (self.data.parent / f"{self.data.name}.log").open("ab") as log:
            self.process = subprocess.Popen(
                command,
                stdout=log,
                stderr=log,
                env={**os.environ, **self.environment},
                start_new_session=True,
            )
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise AssertionError(f"the server did not start:\n{self.log()[-4000:]}")
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

    def _signal(self, number: signal.Signals) -> int:
        assert self.process is not None
        if self.process.poll() is None:
            os.killpg(self.process.pid, number)
        status = self.process.wait(timeout=30)
        self.process = None
        return status

    def _answers(self) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
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
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
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
