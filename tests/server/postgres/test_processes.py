"""A site on PostgreSQL with several web processes and a worker."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from tests.club import Club
from tests.postgres import new_cluster, programs

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(programs() is None, reason="PostgreSQL is not on this machine"),
]


@pytest.fixture(scope="module")
def clubs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Club, Club]]:
    """Two web processes and a worker over one database."""
    folder = tmp_path_factory.mktemp("clubs")
    with new_cluster() as cluster, ExitStack() as running:
        url = cluster.url
        made = []
        for name, command in (("first", "web"), ("second", "web"), ("worker", "serve")):
            club = Club(folder / name, environment={"DATABASE_URL": url}, command=command)
            # One key for all: the session of one process is valid in the others.
            (folder / name).mkdir()
            (folder / name / "secret_key").write_text("the same key for every process of the club", "ascii")
            club.start()
            running.callback(club.stop)
            made.append(club)
        yield made[0], made[1]


def call(club: Club, method: str, path: str, body: Any = None, token: str = "") -> Any:
    """A JSON request that must succeed; its body."""
    link = http.client.HTTPConnection("127.0.0.1", club.port, timeout=60)
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    link.request(method, f"/api/v1{path}", None if body is None else json.dumps(body), headers)
    answer = link.getresponse()
    text = answer.read()
    link.close()
    assert answer.status < 300, text
    return json.loads(text)


def member(club: Club, name: str) -> str:
    """The token of a new account."""
    account = {"username": name, "email": f"{name}@club.example", "password": "a quiet corner"}
    call(club, "POST", "/accounts", account)
    return str(call(club, "POST", "/tokens", account)["token"])


def test_a_move_sent_to_one_process_appears_on_the_stream_of_another(clubs: tuple[Club, Club]) -> None:
    here, there = clubs
    ada, bob = member(here, "Ada"), member(there, "Bob")
    game = call(here, "POST", "/games", {"variant": "american", "colour": "first", "days_per_move": 3}, ada)
    call(there, "POST", f"/waiting-room/{game['id']}/join", token=bob)
    link = http.client.HTTPConnection("127.0.0.1", there.port, timeout=60)
    link.request("GET", f"/api/v1/events?game={game['id']}", headers={"Authorization": f"Bearer {bob}"})
    stream = link.getresponse()
    assert stream.status == 200
    while not stream.fp.readline().startswith(b"id:"):  # the current position
        pass
    after = call(here, "POST", f"/games/{game['id']}/moves", {"move": "11-15", "version": 0}, ada)
    line = b""
    while not line.startswith(b"data:") or json.loads(line[5:]).get("version") != after["version"]:
        line = stream.fp.readline()
        assert line, "the stream ended before the move"
    link.close()
    assert call(there, "GET", f"/games/{game['id']}", token=bob)["moves"] == after["moves"]


def test_the_same_move_sent_to_both_processes_is_played_once(clubs: tuple[Club, Club]) -> None:
    here, there = clubs
    cleo, dan = member(here, "Cleo"), member(there, "Dan")
    game = call(here, "POST", "/games", {"variant": "american", "colour": "first", "days_per_move": 3}, cleo)
    call(there, "POST", f"/waiting-room/{game['id']}/join", token=dan)
    move = {"move": "11-15", "version": 0}
    first = call(here, "POST", f"/games/{game['id']}/moves", move, cleo)
    again = call(there, "POST", f"/games/{game['id']}/moves", move, cleo)
    assert first["version"] == again["version"] == 1
