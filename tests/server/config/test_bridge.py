"""The bridge between the event loop and the thread of the pages."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from typing import Any

import pytest
from django.urls import get_resolver

from crownhead.server.config import body_memory, bridge
from crownhead.server.config.body_memory import (
    MAX_IN_ALL,
    MAX_PER_HOUSEHOLD,
    SMALL,
    BodyMemory,
    MemoryFull,
)
from crownhead.server.config.bridge import Environ, WsgiBridge, environ_of
from tests.browser.site_pages import patterns


def scope(**more: Any) -> dict[str, Any]:
    """The scope of a request."""
    return {
        "type": "http",
        "method": "POST",
        "path": "/dame",
        "query_string": b"a=1",
        "http_version": "1.1",
        "headers": [(b"host", b"club.example")],
        "client": ("192.0.2.1", 4711),
        "server": ("127.0.0.1", 8000),
        **more,
    }


class Exchange:
    """A client: sends its messages one by one, then waits for ever; keeps what it is told."""

    def __init__(self, *messages: dict[str, Any]) -> None:
        self._messages = list(messages)
        self.told: list[dict[str, Any]] = []

    async def receive(self) -> dict[str, Any]:
        """The next message."""
        if not self._messages:
            await asyncio.Event().wait()
        return self._messages.pop(0)

    async def send(self, message: Any) -> None:
        """Hear."""
        self.told.append(message)

    @property
    def status(self) -> int:
        """The status that was told."""
        status: int = self.told[0]["status"]
        return status


def body(data: bytes = b"", *, more: bool = False) -> dict[str, Any]:
    """A piece of a body."""
    return {"type": "http.request", "body": data, "more_body": more}


def echo(environ: Environ, start: Callable[..., Any]) -> Iterable[bytes]:
    """Answers with what it was sent."""
    start("200 OK", [("Content-Type", "text/plain"), ("Set-Cookie", " a=1"), ("Set-Cookie", "b=2")])
    return [environ["wsgi.input"].read(), b"|", environ["CONTENT_LENGTH"].encode()]


def run(application: Any, exchange: Exchange, **more: Any) -> None:
    """One request to a bridge of one thread."""
    bridged = WsgiBridge(application, threads=1)
    asyncio.run(bridged(scope(**more), exchange.receive, exchange.send))
    bridged.close()


def test_a_request_is_answered_with_all_headers() -> None:
    exchange = Exchange(body(b"11-", more=True), body(b"15"))
    run(echo, exchange)
    start, end = exchange.told
    assert start["status"] == 200
    assert start["headers"] == [
        (b"content-type", b"text/plain"),
        (b"set-cookie", b"a=1"),
        (b"set-cookie", b"b=2"),
    ]
    assert end["body"] == b"11-15|5"


def test_a_slow_client_holds_no_thread() -> None:
    async def both() -> tuple[Exchange, Exchange]:
        bridged = WsgiBridge(echo, threads=1)
        slow, quick = Exchange(body(b"11", more=True)), Exchange(body(b"22"))
        waiting = asyncio.create_task(bridged(scope(), slow.receive, slow.send))
        await asyncio.wait_for(bridged(scope(), quick.receive, quick.send), 5)
        waiting.cancel()
        return slow, quick

    slow, quick = asyncio.run(both())
    assert quick.status == 200
    assert slow.told == []


def test_a_body_that_does_not_arrive_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "BODY_TIMEOUT", 0.01)
    exchange = Exchange(body(b"11", more=True))
    run(echo, exchange)
    assert exchange.status == 408


@pytest.mark.parametrize(
    "exchange",
    [Exchange(body(b"x" * 600_000, more=True), body(b"x" * 600_000))],
)
def test_a_body_that_is_too_large_is_refused(exchange: Exchange) -> None:
    run(echo, exchange)
    assert exchange.status == 413


def test_a_body_that_says_it_is_too_large_is_refused_unread() -> None:
    exchange = Exchange()
    run(echo, exchange, headers=[(b"content-length", b"9999999")])
    assert exchange.status == 413


ONE_CLICK = (  # of a mail program, as RFC 8058 has it
    b'--B\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--B--\r\n'
)


@pytest.mark.parametrize(
    ("media_type", "length", "status"),
    [
        (b"multipart/form-data; boundary=B", len(ONE_CLICK), 200),
        (b"multipart/form-data; boundary=B", 1001, 413),
        (b"\xa0MultiPart/Form-Data; boundary=B", 1001, 413),
        (b"application/x-www-form-urlencoded", 1001, 200),
    ],
)
def test_of_multipart_only_what_a_mail_program_sends_is_read(
    media_type: bytes, length: int, status: int
) -> None:
    exchange = Exchange(body(ONE_CLICK.ljust(length, b";")))
    run(echo, exchange, headers=[(b"content-type", media_type)])
    assert exchange.status == status


@pytest.mark.parametrize("pieces", [[b"text/plain" + b";" * 200], [b"text/plain", b";" * 190]])
def test_a_media_type_longer_than_any_is_refused(pieces: list[bytes]) -> None:
    exchange = Exchange(body())
    run(echo, exchange, method="GET", headers=[(b"content-type", piece) for piece in pieces])
    assert exchange.status == 400
    assert b"at most 200 characters" in exchange.told[1]["body"]


@pytest.mark.parametrize(
    ("media_type", "status"),
    [
        (b"text/plain; charset=punycode", 415),
        (b"application/json; Charset = unicode_escape", 415),
        (b"text/plain; charset*=utf-8''hex", 415),
        (b"text/plain; charset=utf-8x", 415),
        (b"text/plain; charset=utf-8; charset=bz2", 415),
        (b'application/json; charset="UTF-8"', 200),
        (b"application/json;charset=utf-8; a=b", 200),
    ],
)
def test_the_address_is_read_as_utf_8_whatever_a_request_says(media_type: bytes, status: int) -> None:
    exchange = Exchange(body())
    run(echo, exchange, method="GET", headers=[(b"content-type", media_type)])
    assert exchange.status == status


def test_cookies_longer_than_any_are_refused() -> None:
    exchange = Exchange(body())
    run(echo, exchange, method="GET", headers=[(b"cookie", b"a" * 5000)] * 2)
    assert exchange.status == 431
    assert b"at most 8192 characters" in exchange.told[1]["body"]


@pytest.mark.parametrize("name", [b"if-match", b"if-none-match"])
def test_a_list_of_tags_longer_than_any_is_refused(name: bytes) -> None:
    for pieces, status in ([b"," * 1000, b"," * 1000], 431), ([b'W/"' + b"a" * 32 + b'"'] * 20, 200):
        exchange = Exchange(body())
        run(echo, exchange, method="GET", headers=[(name, piece) for piece in pieces])
        assert exchange.status == status


@pytest.mark.parametrize(
    ("form", "status"),
    [
        (b"text=" + b"%C3%a9" * 10 + b"+%25&more=", 200),
        (b"text=" + b"%" * 10, 400),
        (b"text=%4", 400),
        (b"text=%zz", 400),
        ("text=é%41".encode(), 400),
        ("text=Grüße".encode(), 200),  # of a program
    ],
)
def test_a_form_that_no_browser_sends_is_refused_before_it_is_read(form: bytes, status: int) -> None:
    exchange = Exchange(body(form))
    run(echo, exchange, headers=[(b"content-type", b"Application/X-WWW-Form-Urlencoded; charset=utf-8")])
    assert exchange.status == status


@pytest.mark.parametrize(
    ("path", "length", "status"),
    [
        ("/no-more/x/", 1000, 200),
        ("/no-more/x/", 1001, 413),
        ("/notices/stop/x/", 1001, 413),
        ("/contact/", 460_000, 200),
        ("/contact/", 460_001, 413),
    ],
)
def test_a_form_longer_than_any_is_refused_before_it_is_read(path: str, length: int, status: int) -> None:
    exchange = Exchange(body(b"a=".ljust(length, b"b")))
    run(echo, exchange, path=path, headers=[(b"content-type", b"application/x-www-form-urlencoded")])
    assert exchange.status == status


def test_what_anybody_may_post_without_a_token_is_short() -> None:
    found = patterns(get_resolver())
    free = {f"/{route}" for _app, route, pattern in found if getattr(pattern.callback, "csrf_exempt", False)}
    assert {path for path in free if not path.startswith("/api/")} == {
        f"{path}<str:token>/" for path in bridge.ONE_CLICK
    }


def test_percent_signs_in_what_is_no_form_are_left_alone() -> None:
    exchange = Exchange(body(b'{"text": "100%"}'))
    run(echo, exchange, headers=[(b"content-type", b"application/json")])
    assert exchange.status == 200


def test_a_cookie_with_escapes_which_takes_long_to_read_is_left_out() -> None:
    exchange, seen = Exchange(body()), []

    def look(environ: Environ, start: Callable[..., Any]) -> Iterable[bytes]:
        seen.append(environ["HTTP_COOKIE"])
        return echo(environ, start)

    escapes = b'a="' + b'\\"' * 1000 + b'"'
    run(
        look,
        exchange,
        method="GET",
        headers=[(b"cookie", b"csrftoken=b"), (b"cookie", escapes), (b"cookie", b"c=d")],
    )
    assert seen == ["csrftoken=b; c=d"]


def test_a_program_is_refused_with_a_problem_document() -> None:
    exchange = Exchange()
    run(echo, exchange, path="/api/v1/games", headers=[(b"content-length", b"9999999")])
    start, answer = exchange.told
    assert (b"content-type", b"application/problem+json") in start["headers"]
    assert json.loads(answer["body"])["status"] == 413


def test_a_client_that_leaves_is_not_answered() -> None:
    exchange = Exchange({"type": "http.disconnect"})
    run(echo, exchange)
    assert exchange.told == []


MEBIBYTE = 1 << 20


async def unfinished(
    bridged: WsgiBridge, count: int, headers: Callable[[int], list[tuple[bytes, bytes]]] = lambda _n: []
) -> list[Exchange]:
    """Clients that send a mebibyte each and not the end; those that were answered."""
    clients = [Exchange(body(b"x" * MEBIBYTE, more=True)) for _ in range(count)]
    tasks = [
        asyncio.create_task(bridged(scope(headers=headers(n)), client.receive, client.send))
        for n, client in enumerate(clients)
    ]
    for _ in range(5):
        await asyncio.sleep(0)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return [client for client in clients if client.told]


def test_the_unfinished_bodies_of_an_address_are_bounded() -> None:
    bridged = WsgiBridge(echo, threads=1)
    refused = asyncio.run(unfinished(bridged, 250))
    assert len(refused) == 242
    assert {client.status for client in refused} == {503}
    assert (b"retry-after", b"1") in refused[0].told[0]["headers"]
    assert (b"connection", b"close") in refused[0].told[0]["headers"]
    assert asyncio.run(unfinished(bridged, 8)) == [], "what has ended is held no longer"


def test_unfinished_bodies_count_for_the_address_behind_the_proxy() -> None:
    def headers(number: int) -> list[tuple[bytes, bytes]]:
        return [(b"x-forwarded-for", f"192.0.2.{number % 2}".encode())]

    assert len(asyncio.run(unfinished(WsgiBridge(echo, threads=1, proxies=1), 20, headers))) == 4
    assert len(asyncio.run(unfinished(WsgiBridge(echo, threads=1), 20, headers))) == 12


def test_all_unfinished_bodies_are_bounded() -> None:
    def headers(number: int) -> list[tuple[bytes, bytes]]:
        return [(b"x-forwarded-for", f"192.0.2.{number}".encode())]

    assert len(asyncio.run(unfinished(WsgiBridge(echo, threads=1, proxies=1), 70, headers))) == 6


def test_a_few_households_do_not_use_up_the_room_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body_memory, "KEPT_FREE", 3 * SMALL)
    memory = BodyMemory()
    with ExitStack() as held:
        for number in range(MAX_IN_ALL // MAX_PER_HOUSEHOLD):
            held.enter_context(memory.held_for(f"{number}"))(MAX_PER_HOUSEHOLD)
        held.enter_context(memory.held_for("another"))(SMALL)
        with pytest.raises(MemoryFull):
            held.enter_context(memory.held_for("another"))(1)
        for number in range(2):
            held.enter_context(memory.held_for(f"small {number}"))(SMALL)
        with pytest.raises(MemoryFull):
            held.enter_context(memory.held_for("one too many"))(1)


def test_an_application_that_fails_is_logged_and_closed(caplog: pytest.LogCaptureFixture) -> None:
    closed: list[bool] = []

    class Failing:
        """An answer that breaks off."""

        def __iter__(self) -> Any:
            raise OSError("broken")

        def close(self) -> None:
            closed.append(True)

    exchange = Exchange(body())
    run(lambda _environ, _start: Failing(), exchange)
    assert exchange.status == 500
    assert closed == [True]
    assert "broken" in caplog.text


def test_the_environment_is_that_of_the_request() -> None:
    environ = environ_of(
        scope(
            path="/spël/é",
            query_string=b"q=\xff",
            headers=[
                (b"host", b"club.example"),
                (b"content-type", b"text/plain"),
                (b"content-length", b"999"),
                (b"cookie", b"a=1"),
                (b"cookie", b"b=2"),
                (b"accept", b"x"),
                (b"accept", b"y"),
            ],
        ),
        b"12",
        threads=1,
    )
    assert environ["PATH_INFO"].encode("latin-1").decode() == "/spël/é"
    assert environ["QUERY_STRING"] == "q=\xff"
    assert environ["CONTENT_LENGTH"] == "2"
    assert environ["CONTENT_TYPE"] == "text/plain"
    assert environ["HTTP_COOKIE"] == "a=1; b=2"
    assert environ["HTTP_ACCEPT"] == "x,y"
    assert environ["REMOTE_ADDR"] == "192.0.2.1"
    assert environ["wsgi.multithread"] is False


def test_a_header_written_with_underscores_cannot_pose_as_a_proxys() -> None:
    environ = environ_of(scope(headers=[(b"x_forwarded_for", b"203.0.113.9")]), b"", threads=1)
    assert "HTTP_X_FORWARDED_FOR" not in environ
