"""While the database is away or cannot be written to, nobody is told that nothing was changed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.core import clock
from crownhead.server.ops.processes import timekeeper
from crownhead.server.ops.starting import upkeep
from crownhead.server.play.outages import services
from tests.server.conftest import Api

pytestmark = pytest.mark.django_db


@contextmanager
def away(sentence: str = "disk I/O error", *, only: str = "") -> Iterator[None]:
    """Every query fails, or those that begin with a word."""

    def fail(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith(only):
            raise OperationalError(sentence)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(fail):
        yield


@pytest.mark.parametrize("path", ["/", "/watch/", "/players/"])
def test_pages_ask_to_be_tried_again_and_claim_nothing(path: str, alice: User) -> None:
    browser = Client(raise_request_exception=False)
    browser.force_login(alice)
    with away():
        answer = browser.get(path)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert "Check whether your last change was saved" in answer.content.decode()


@pytest.mark.parametrize("only", ["", "INSERT"])
def test_the_api_answers_with_a_problem_and_claims_nothing(api: Api, alice: User, only: str) -> None:
    mine = api.as_(alice)
    with away("database or disk is full", only=only):
        answer = mine.post("/games", {"variant": "american", "colour": "first", "days_per_move": 3})
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    problem = json.loads(answer.content)
    assert problem["type"] == "urn:crownhead:problem:unavailable"
    assert "nothing" not in problem["detail"]


def test_an_error_of_ours_claims_nothing_either(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_arguments: object, **_options: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("crownhead.server.play.selectors.waiting_games", fail)
    answer = api.get("/waiting-room")
    assert answer.status_code in {200, 500}
    assert b"nothing was changed" not in answer.content


def test_health_tells_what_is_away(client: Client) -> None:
    assert client.get("/health/ready").json() == {"status": "ok"}
    with away():
        assert client.get("/health").status_code == 503
        assert client.get("/health/ready").json() == {"status": "no database"}
        assert client.get("/health/live").status_code == 200


def test_a_site_that_cannot_write_is_not_ready(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    keeper = timekeeper.Timekeeper(beats=True, watch=clock.DoubtfulClock(clock.now))
    with away("attempt to write a readonly database", only="INSERT"):
        assert not keeper.tick()
        assert not keeper.tick()
        answer = client.get("/health")
    assert (answer.status_code, answer.json()) == (503, {"status": "cannot write"})
    assert caplog.text.count("no sign of life") == 1
    assert keeper.tick()
    assert client.get("/health").status_code == 200
    services._open = ()  # noqa: SLF001


class _Server:
    """A connection to a server that answers after some tries."""

    vendor = "postgresql"

    def __init__(self, fails: int) -> None:
        self.fails = fails

    def ensure_connection(self) -> None:
        self.fails -= 1
        if self.fails >= 0:
            raise OperationalError("connection refused")


def test_a_process_that_starts_before_its_database_waits_and_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(upkeep, "connection", _Server(3))
    upkeep.wait_for_database(pause=pauses.append)
    assert len(pauses) == 3
    assert capsys.readouterr().err == "Waiting up to 60 seconds for the database.\n"


def test_it_does_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    settings.DATABASE_WAIT = 0
    monkeypatch.setattr(upkeep, "connection", _Server(1))
    with pytest.raises(OperationalError):
        upkeep.wait_for_database(pause=lambda _seconds: None)
