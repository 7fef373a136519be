"""What a site tells those who look after it: metrics, slow requests, lines of the log."""

from __future__ import annotations

import json
import logging
import re
import sys
from typing import Any

import pytest
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from crownhead.server.accounts.models import User
from crownhead.server.core.monitoring.logs import REQUEST, JsonFormatter, TextFormatter
from crownhead.server.core.monitoring.metrics import ERRORS, MOVES
from crownhead.server.core.monitoring.middleware import measure_requests
from crownhead.server.core.monitoring.statements import Statements, without_values
from crownhead.server.lobby.models import Visit
from crownhead.server.notices.models import Device, Notice, Reader
from tests.server.play.factories import make_game, play_moves

pytestmark = pytest.mark.django_db


def value(text: str, name: str) -> float:
    """The value of a metric with its labels in an exposition; 0 where there is none."""
    found = re.search(rf"^{re.escape(name)} (\S+)$", text, re.MULTILINE)
    return float(found[1]) if found else 0.0


def metrics(client: Client, **headers: str) -> str:
    answer = client.get("/metrics", headers=headers)
    assert answer.status_code == 200
    text: str = answer.content.decode()
    return text


def test_requests_are_counted_by_route_and_status_with_their_queries(client: Client) -> None:
    before = metrics(client)
    client.get("/players/nobody-of-that-name/")
    text = metrics(client)
    lines = [line for line in text.splitlines() if 'status="404"' in line and "/players/" in line]
    assert lines
    assert "nobody-of-that-name" not in text
    queries = [line.split()[1] for line in text.splitlines() if line.startswith("crownhead_queries_total")]
    assert sum(map(float, queries)) > 0
    assert value(text, 'crownhead_request_seconds_count{route="/metrics"}') > value(
        before, 'crownhead_request_seconds_count{route="/metrics"}'
    )


def test_addresses_that_no_page_has_are_one_route(client: Client) -> None:
    client.get("/no-such-page-1")
    assert "no-such-page" not in metrics(client)


def test_queues_are_told_by_their_age(client: Client) -> None:
    text = metrics(client)
    for queue in ("replies", "studies", "default", "mail", "push", "deadlines"):
        assert f'crownhead_queue_age_seconds{{queue="{queue}"}} 0.0' in text
    assert value(text, "crownhead_outages_open") == 0


@pytest.mark.django_db(transaction=True)
def test_moves_are_counted(alice: User, bob: User) -> None:
    before = MOVES._value.get()  # noqa: SLF001
    play_moves(make_game(alice, bob), "11-15", "23-18")
    assert MOVES._value.get() == before + 2  # noqa: SLF001


@pytest.mark.parametrize(
    ("token", "asked", "status"),
    [
        ("", {}, 200),
        ("", {"REMOTE_ADDR": "192.0.2.7"}, 404),
        ("", {"HTTP_X_FORWARDED_FOR": "127.0.0.1"}, 404),
        ("right", {}, 404),
        ("right", {"HTTP_AUTHORIZATION": "Bearer wrong"}, 404),
        ("right", {"HTTP_AUTHORIZATION": "Bearer right", "REMOTE_ADDR": "192.0.2.7"}, 200),
    ],
)
def test_metrics_are_for_the_machine_itself_or_a_token(
    client: Client, settings: Any, token: str, asked: dict[str, str], status: int
) -> None:
    settings.METRICS_TOKEN = token
    assert client.get("/metrics", **asked).status_code == status  # type: ignore[arg-type]


def test_a_slow_request_is_logged_with_its_queries(
    client: Client, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.SLOW_REQUEST_MS = 0
    client.get("/rules/")
    assert "slow:" not in caplog.text
    settings.SLOW_REQUEST_MS = 0.0001
    client.get("/watch/?q=secret")
    assert re.search(r"slow: GET /watch/ took \d+ ms and [1-9]\d* queries", caplog.text)
    assert "secret" not in caplog.text


def test_a_slow_request_is_logged_with_its_slowest_and_most_repeated_statements(
    settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    def page(_request: HttpRequest) -> HttpResponse:
        for number in range(5):
            User.objects.filter(username=f"secret-{number}").first()
        for rows in (Visit.objects, Device.objects, Notice.objects, Reader.objects):
            list(rows.all()[:9])
        with connection.cursor() as cursor:
            cursor.execute("SELECT 'secret', 31337")
        return HttpResponse()

    settings.SLOW_REQUEST_MS = 0.0001
    measure_requests(page)(RequestFactory().get("/"))
    assert caplog.records[-1].message.startswith("slow: GET (unknown) took ")
    facts = json.loads(JsonFormatter().format(caplog.records[-1]))
    assert facts["queries"] == 10
    told = facts["statements"]
    assert 3 <= len(told) <= 4
    slowest = [one["milliseconds"] for one in told[:3]]
    assert slowest == sorted(slowest, reverse=True)
    (often,) = (one for one in told if one["times"] == 5)
    assert often["statement"].startswith('SELECT "accounts_user"."id", … FROM "accounts_user" WHERE ')
    assert often["statement"] in caplog.text
    assert "secret" not in caplog.text + str(told)
    assert "31337" not in caplog.text + str(told)


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ("SELECT 'it''s', 12, \"t1\".\"c2\" FROM t1", 'SELECT ?, …, "t1"."c2" FROM t1'),
        ("INSERT INTO a VALUES (%s, %s),\n  (1.5, NULL)", "INSERT INTO a VALUES (?, …), (?, NULL)"),
        ('SELECT "a"."b" AS "x", "a"."c" FROM "a"', 'SELECT "a"."b", … FROM "a"'),
        ("SELECT " + "x" * 1000, "SELECT " + "x" * 292 + "…"),
    ],
)
def test_a_statement_is_told_without_values_and_not_at_length(sql: str, told: str) -> None:
    assert without_values(sql) == told


def test_a_slow_request_without_a_statement_is_logged_as_well(
    settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.SLOW_REQUEST_MS = 0.0001
    answer = measure_requests(lambda _request: HttpResponse())(RequestFactory().get("/"))
    assert answer.status_code == 200
    assert re.search(r"took \d+ ms and 0 queries$", caplog.records[-1].message)


def test_of_many_different_statements_a_request_keeps_some() -> None:
    statements = Statements()
    for number in range(1000):
        statements(lambda *_: None, f"SELECT x{number}", (), False, {})
    assert statements.count == 1000
    assert len(statements._kept) == 200  # noqa: SLF001


def test_an_answer_has_an_id_and_a_proxys_is_kept(client: Client, settings: Any) -> None:
    own = client.get("/rules/", headers={"X-Request-ID": "from-outside"}).headers["X-Request-ID"]
    assert re.fullmatch("[0-9a-f]{16}", own)
    settings.PROXIES = 1
    assert (
        client.get("/rules/", headers={"X-Request-ID": "from-proxy"}).headers["X-Request-ID"] == "from-proxy"
    )
    assert client.get("/rules/", headers={"X-Request-ID": "<b>bad"}).headers["X-Request-ID"] != "<b>bad"


def test_what_browsers_keep_for_ever_has_no_id_of_one_request(rf: RequestFactory) -> None:
    def answer(_request: HttpRequest) -> HttpResponse:
        return HttpResponse(headers={"Cache-Control": "max-age=315360000, public, immutable"})

    assert "X-Request-ID" not in measure_requests(answer)(rf.get("/static/a.js")).headers


def record(message: str, *, error: BaseException | None = None) -> logging.LogRecord:
    info = (type(error), error, error.__traceback__) if error else None
    return logging.LogRecord("club", logging.ERROR, "", 0, message, (), info)


def test_lines_of_json_have_the_request_and_the_exception_without_secrets() -> None:
    token = REQUEST.set("abcdef12")
    try:
        error: BaseException | None = None
        try:
            raise ValueError("postgres://club:hunter2@db/club")
        except ValueError:
            error = sys.exc_info()[1]
        line = json.loads(JsonFormatter().format(record("Authorization: Bearer abc.def", error=error)))
    finally:
        REQUEST.reset(token)
    assert (line["level"], line["logger"], line["request"]) == ("error", "club", "abcdef12")
    assert line["message"] == "Authorization: Bearer ***"
    assert "hunter2" not in line["exception"]
    assert "postgres://club:***@db/club" in line["exception"]


@pytest.mark.parametrize("text", ["password=hunter2", "'token': 'hunter2'", "smtps://a:hunter2@mail"])
def test_lines_of_text_have_no_secrets(text: str) -> None:
    assert "hunter2" not in TextFormatter().format(record(text))


def test_a_line_of_text_is_one_line_with_its_time_in_utc() -> None:
    token = REQUEST.set("abcdef12")
    try:
        row = record("no page /a\r\n2026-01-01 INFO forged\x1b[2J\x85\u2028")
        row.created = 0.25
        row.msecs = 250.0
        line = TextFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s").format(row)
    finally:
        REQUEST.reset(token)
    assert line.startswith("1970-01-01 00:00:00.250Z ERROR club: no page /a\\x0d\\x0a2026-01-01")
    assert line.endswith(r"forged\x1b[2J\x85\u2028 [abcdef12]")
    assert len(line.splitlines()) == 1


def test_logged_errors_are_counted() -> None:
    before = ERRORS.labels("club")._value.get()  # noqa: SLF001
    handler = logging.getLogger().handlers[0]
    handler.filter(record("broken"))
    assert ERRORS.labels("club")._value.get() == before + 1  # noqa: SLF001
