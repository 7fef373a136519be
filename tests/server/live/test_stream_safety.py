"""The event stream, which Django does not answer, takes the same hosts and schemes, and is as safe."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from pytest_django import Settings

from crownhead.server.config.bridge import WsgiBridge
from crownhead.server.live.stream import EventStream
from tests.server.config.test_bridge import Exchange, echo, scope
from tests.server.live.test_stream import HOOKS, Listener

pytestmark = pytest.mark.django_db(transaction=True)
SAFE = {
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
}


@pytest.fixture
def by_https(settings: Settings) -> None:
    """A club that is served by HTTPS alone, through a proxy."""
    settings.ALLOWED_HOSTS = ["club.example"]
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    settings.SECURE_HSTS_SECONDS = 3600


def asked(query: str = "game=abc", **headers: str) -> Listener:
    """What a stream answers that ends soon."""

    async def ask() -> Listener:
        events = EventStream(HOOKS)
        await events.start()
        try:
            listener = Listener(events, query, **headers)
            while not listener.status:
                await asyncio.sleep(0.01)
            if listener.status == 200:
                await listener.leave()
            return await listener.end()
        finally:
            await events.stop()

    return asyncio.run(ask())


@pytest.mark.usefixtures("by_https")
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "club.example", "x_forwarded_proto": "https"}, 200),
        ({"host": "club.example:8443", "x_forwarded_proto": "https, http"}, 200),
        ({"host": "club.example"}, 403),
        ({"host": "club.example", "x_forwarded_proto": "http"}, 403),
        ({"host": "club.example", "x_forwarded_proto": "http, https"}, 403),
        ({"host": "evil.example", "x_forwarded_proto": "https"}, 400),
        ({"host": "club.example,evil.example", "x_forwarded_proto": "https"}, 400),
        ({"host": "club.example@evil.example", "x_forwarded_proto": "https"}, 400),
        ({"host": "evil.example", "x_forwarded_host": "club.example", "x_forwarded_proto": "https"}, 400),
        ({"x_forwarded_proto": "https"}, 400),
    ],
)
def test_a_stream_is_answered_for_the_own_host_and_by_https_alone(
    headers: dict[str, str], status: int
) -> None:
    answer = asked(**headers)
    assert answer.status == status
    if status != 200:
        assert answer.headers["content-type"] == "application/problem+json"
        assert json.loads(answer.text)["status"] == status


@pytest.mark.usefixtures("by_https")
def test_a_token_sent_in_the_clear_opens_no_stream_and_is_not_looked_up() -> None:
    answer = asked(host="club.example", authorization="Bearer no-such-token")
    assert (answer.status, "Revoke the token" in answer.text) == (403, True)


@pytest.mark.usefixtures("by_https")
def test_browsers_are_told_to_come_back_by_https_where_they_came_by_it() -> None:
    stream = asked(host="club.example", x_forwarded_proto="https")
    assert stream.headers["strict-transport-security"] == "max-age=3600"
    assert "strict-transport-security" not in asked(host="club.example").headers


@pytest.mark.parametrize(
    ("query", "headers", "status"),
    [
        ("game=abc", {}, 200),
        ("", {}, 401),
        ("last_event_id=1", {"cookie": "sessionid=ended"}, 204),
        ("game=abc", {"method": "POST"}, 405),
        ("last_event_id=x", {}, 400),
    ],
)
def test_whatever_the_stream_answers_is_as_safe_as_a_page(
    query: str, headers: dict[str, str], status: int
) -> None:
    answer = asked(query, **headers)
    assert answer.status == status
    assert answer.headers | SAFE == answer.headers


@pytest.mark.usefixtures("by_https")
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ([(b"content-type", b"text/plain; charset=punycode")], 415),
        ([(b"cookie", b"a" * 9000)], 431),
        ([(b"content-length", b"10000000")], 413),
        ([(b"content-type", b"a" * 300)], 400),
    ],
)
@pytest.mark.parametrize("path", ["/dame", "/api/v1/dame"])
def test_so_is_a_request_that_is_refused_before_django(
    headers: list[tuple[bytes, bytes]], status: int, path: str
) -> None:
    async def ask() -> dict[str, Any]:
        pages = WsgiBridge(echo, threads=1)
        client = Exchange({"type": "http.request", "body": b""})
        proxied = [(b"host", b"club.example"), (b"x-forwarded-proto", b"https"), *headers]
        await pages(scope(path=path, headers=proxied), client.receive, client.send)
        pages.close()
        return client.told[0]

    start = asyncio.run(ask())
    assert start["status"] == status
    told = {name.decode(): value.decode() for name, value in start["headers"]}
    assert told | SAFE | {"strict-transport-security": "max-age=3600"} == told
