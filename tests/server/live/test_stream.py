"""GET /events, called as by an ASGI server."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

import pytest
from django.db import OperationalError, connections, transaction
from pytest_django import Settings

from crownhead.server.config.openapi import EVENTS
from crownhead.server.core import clock
from crownhead.server.core.problems import NotSignedIn
from crownhead.server.live import hub, services, stream
from crownhead.server.live.access import Grant
from crownhead.server.live.models import Outbox
from crownhead.server.live.stream import EventStream, Hooks, Limits

pytestmark = pytest.mark.django_db(transaction=True)

T = TypeVar("T")
SESSIONS = {
    "alices-session": Grant(1, "here"),
    "alices-phone": Grant(1, "phone"),
    "bobs-session": Grant(2, "there"),
}
TOKENS = {
    "alices-token": Grant(1, "program"),
    "alices-older-token": Grant(1, "older program", as_member=True),
}
FOLLOWED: list[tuple[str, bool]] = []  # calls of the followed hook
TIMEOUT = 30  # seconds; generous for a busy machine


@pytest.fixture(autouse=True)
def _rare_polling(monkeypatch: pytest.MonkeyPatch) -> None:
    """The database of the tests is in memory, where reading a table locks out writers."""
    monkeypatch.setattr(hub, "POLL_SOON", hub.POLL)


def grant_of_token(token: str) -> Grant:
    """The stand-in for accounts."""
    if token not in TOKENS:
        raise NotSignedIn("no such token")
    return TOKENS[token]


HOOKS = Hooks(
    grant_of_session=SESSIONS.get,
    grant_of_token=grant_of_token,
    watchable=lambda games, user, as_member: [
        game for game in games if game != "hidden" or (user == 1 and not as_member)
    ],
    followed=lambda game, is_followed: FOLLOWED.append((game, is_followed)),
)


class Listener:
    """The browser end of a stream."""

    def __init__(self, events: EventStream, query: str = "", **headers: str) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.text = ""
        self.is_complete = False
        self._changed = asyncio.Event()
        self._closed = asyncio.Event()
        scope = {
            "type": "http",
            "method": headers.pop("method", "GET"),
            "path": "/events",
            "query_string": query.encode(),
            "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
            "client": ("192.0.2.1", 1),
        }
        self.task = asyncio.create_task(events(scope, self._receive, self._send))

    async def until(self, text: str) -> str:
        """Everything received, once `text` is in it."""
        async with asyncio.timeout(TIMEOUT):
            while text not in self.text:
                self._changed.clear()
                await self._changed.wait()
        return self.text

    async def end(self) -> Listener:
        """Wait until the server ends the stream."""
        await asyncio.wait_for(self.task, TIMEOUT)
        return self

    async def leave(self) -> None:
        """Close the stream, as a page does that is left."""
        self._closed.set()
        await self.end()

    async def _receive(self) -> dict[str, Any]:
        await self._closed.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            self.text += message["body"].decode()
            self.is_complete = not message.get("more_body", False)
        self._changed.set()


def publish(topic: str, **payload: Any) -> int:
    """Publish an event and commit it; its id."""
    with transaction.atomic():
        services.publish(topic=topic, kind="game", payload=payload)
    return Outbox.objects.order_by("-id")[0].id


async def publish_in_thread(topic: str, **payload: Any) -> int:
    """`publish` in another thread."""
    return await in_thread(lambda: publish(topic, **payload))


async def in_thread(write: Callable[[], T]) -> T:
    """Write in another thread; retried while the table is locked."""

    def work() -> T:
        end = time.monotonic() + TIMEOUT
        try:
            while True:
                try:
                    return write()
                except OperationalError:
                    if time.monotonic() > end:
                        raise
                    time.sleep(0.01)
        finally:
            connections.close_all()

    return await asyncio.to_thread(work)


def run_scene(scene: Callable[[EventStream], Awaitable[None]], limits: Limits | None = None) -> None:
    """Run a scene with a running stream."""

    async def run() -> None:
        events = EventStream(HOOKS, limits or Limits())
        await events.start()
        try:
            await asyncio.wait_for(scene(events), 4 * TIMEOUT)
        finally:
            await events.stop()

    asyncio.run(run())


def test_a_guest_gets_events_only_of_the_game_they_watch() -> None:
    async def scene(events: EventStream) -> None:
        guest = Listener(events, "game=a")
        await guest.until("id: ")
        await publish_in_thread("game:b", n=1)
        await publish_in_thread("user:1", n=2)
        place = await publish_in_thread("game:a", n=3)
        text = await guest.until('{"n":3}')
        assert f'id: {place}\nevent: game\ndata: {{"n":3}}\n\n' in text
        assert '"n":1' not in text
        assert '"n":2' not in text
        assert guest.status == 200
        assert guest.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert "text/event-stream" in EVENTS["responses"]["200"]["content"]
        assert guest.headers["cache-control"] == "no-store"
        await guest.leave()

    run_scene(scene)


@pytest.mark.parametrize(
    "headers", [{"cookie": "x=1; sessionid=alices-session"}, {"authorization": "Bearer alices-token"}]
)
def test_a_member_gets_only_their_own_events(headers: dict[str, str]) -> None:
    async def scene(events: EventStream) -> None:
        alice = Listener(events, **headers)
        await alice.until("id: ")
        await publish_in_thread("user:2", n=1)
        await publish_in_thread("user:1", n=2)
        assert '"n":1' not in await alice.until('"n":2')
        await alice.leave()

    run_scene(scene)


def test_missed_events_come_first_and_once() -> None:
    last_seen = publish("game:a", n=1)
    publish("game:a", n=2)
    publish("game:b", n=3)

    async def scene(events: EventStream) -> None:
        requests: list[tuple[str, dict[str, str]]] = [
            ("game=a", {"last_event_id": str(last_seen)}),
            (f"game=a&last_event_id={last_seen}", {}),
        ]
        for number, (query, headers) in enumerate(requests, start=4):
            listener = Listener(events, query, **headers)
            await listener.until('"n":2')
            await publish_in_thread("game:a", n=number)
            text = await listener.until(f'"n":{number}')
            assert text.count('"n":2') == 1
            assert '"n":1' not in text
            assert '"n":3' not in text
            await listener.leave()

    run_scene(scene)


def test_the_header_takes_precedence_over_the_query() -> None:
    first = publish("game:a", n=1)
    second = publish("game:a", n=2)

    async def scene(events: EventStream) -> None:
        listener = Listener(events, f"game=a&last_event_id={first - 1}", last_event_id=str(second))
        assert "data" not in await listener.until(f"id: {second}")
        await listener.leave()

    run_scene(scene)


def test_a_new_stream_starts_with_the_current_position() -> None:
    place = publish("game:a", n=1)

    async def scene(events: EventStream) -> None:
        listener = Listener(events, "game=a")
        text = await listener.until(f"id: {place}\n\n")
        assert "data" not in text
        assert "retry: " in text
        await listener.leave()

    run_scene(scene)


def test_a_client_that_missed_too_much_has_to_reload() -> None:
    first = publish("game:a", n=1)
    for number in range(2, 5):
        publish("game:a", n=number)
    Outbox.objects.filter(id=first).delete()

    async def scene(events: EventStream) -> None:
        for after in (first, 0):
            listener = Listener(events, "game=a", last_event_id=str(after))
            assert '"n"' not in await listener.until("event: reload\ndata: {}\n")
            await listener.leave()

    run_scene(scene, Limits(catch_up=2))


def test_a_quiet_stream_sends_keep_alive_comments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "QUIET", 0.15)

    async def scene(events: EventStream) -> None:
        listener = Listener(events, "game=a")
        await listener.until(": still here\n\n: still here\n\n")
        await listener.leave()

    run_scene(scene)


def test_a_stream_ends_after_its_life(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "LIFE", 0.05)

    async def scene(events: EventStream) -> None:
        assert (await Listener(events, "game=a").end()).status == 200

    run_scene(scene)


def test_streams_end_when_the_server_stops() -> None:
    async def scene(events: EventStream) -> None:
        listener = Listener(events, "game=a")
        await listener.until("id: ")
        events.hub.close()
        await listener.end()
        refused = await Listener(events, "game=a").end()
        assert refused.status == 429

    run_scene(scene)


@pytest.mark.parametrize(
    ("query", "headers", "status"),
    [
        ("", {}, 401),
        ("", {"cookie": "sessionid=ended"}, 401),
        ("", {"cookie": "sessionid"}, 401),
        ("", {"cookie": 'a="\\303; ;;=,'}, 401),
        ("", {"cookie": "a=b;" * 3000}, 400),
        ("", {"authorization": "Bearer nonsense"}, 401),
        ("game=a", {"authorization": "Bearer nonsense"}, 401),
        ("", {"authorization": "Basic x"}, 401),
        ("game=hidden", {}, 404),
        ("game=hidden", {"cookie": "sessionid=bobs-session"}, 404),
        ("game=hidden", {"authorization": "Bearer alices-older-token"}, 404),
        ("&".join(f"game={n}" for n in range(30)), {}, 400),
        ("game=a&" + "%a&" * 1000, {}, 400),
        ("game=a", {"last_event_id": "x"}, 400),
        ("game=a", {"last_event_id": "-1"}, 400),
        ("game=a", {"last_event_id": "9" * 30}, 400),
        ("game=a&last_event_id=%00", {}, 400),
        ("game=a", {"method": "POST"}, 405),
        ("game=a", {"method": "HEAD"}, 405),
    ],
)
def test_an_invalid_request_gets_a_problem_document(query: str, headers: dict[str, str], status: int) -> None:
    async def scene(events: EventStream) -> None:
        answer = await Listener(events, query, **headers).end()
        assert answer.status == status
        assert answer.headers["content-type"] == "application/problem+json"
        assert f'"status": {status}' in answer.text

    run_scene(scene)


def test_an_address_gets_only_so_many_streams_without_a_session_or_with() -> None:
    async def scene(events: EventStream) -> None:
        for headers in ({}, {"cookie": "sessionid=bobs-session"}):
            first = Listener(events, "game=a", **headers)
            await first.until("id: ")
            assert (await Listener(events, "game=a").end()).status == 429
            await first.leave()
        again = Listener(events, "game=a")
        await again.until("id: ")
        await again.leave()

    run_scene(scene, Limits(max_per_address=1))


def test_a_member_gets_only_so_many_streams() -> None:
    async def scene(events: EventStream) -> None:
        member = Listener(events, "game=a", cookie="sessionid=bobs-session")
        await member.until("id: ")
        assert (await Listener(events, "game=a", cookie="sessionid=bobs-session").end()).status == 429
        guest = Listener(events, "game=a")
        await guest.until("id: ")
        await guest.leave()
        await member.leave()

    run_scene(scene, Limits(max_per_member=1))


def test_the_addresses_of_a_household_share_their_streams() -> None:
    async def scene(events: EventStream) -> None:
        first = Listener(events, "game=a", x_forwarded_for="2001:db8:1:2::1")
        await first.until("id: ")
        for address, status in (("2001:db8:1:2:ffff::9", 429), ("2001:db8:1:3::1", 200)):
            other = Listener(events, "game=a", x_forwarded_for=address)
            if status == 200:
                await other.until("id: ")
                await other.leave()
            else:
                assert (await other.end()).status == status
        await first.leave()

    run_scene(scene, Limits(max_per_address=1, proxies=1))


def test_opening_streams_is_limited_whether_they_are_found_or_not(settings: Settings) -> None:
    settings.LIMITS = settings.LIMITS | {"streams": "2/d"}

    async def scene(events: EventStream) -> None:
        answers = [await Listener(events, "game=hidden").end() for _ in range(3)]
        assert [answer.status for answer in answers] == [404, 404, 429]

    with clock.stopped(datetime(2026, 3, 1, 12, tzinfo=UTC)):
        run_scene(scene)


def test_a_request_for_a_stream_counts_before_anything_of_it_is_read(settings: Settings) -> None:
    settings.LIMITS = settings.LIMITS | {"streams": "2/d"}

    async def scene(events: EventStream) -> None:
        queries = ("x" * 3000, "&".join(f"game={number}" for number in range(30)), "game=a")
        answers = [await Listener(events, query).end() for query in queries]
        assert [answer.status for answer in answers] == [400, 400, 429]

    with clock.stopped(datetime(2026, 3, 1, 12, tzinfo=UTC)):
        run_scene(scene)


def test_a_stream_of_several_games_counts_for_each(settings: Settings) -> None:
    settings.LIMITS = settings.LIMITS | {"streams": "3/d"}

    async def scene(events: EventStream) -> None:
        answers = [await Listener(events, "game=hidden&game=other").end() for _ in range(2)]
        assert [answer.status for answer in answers] == [404, 429]

    with clock.stopped(datetime(2026, 3, 1, 12, tzinfo=UTC)):
        run_scene(scene)


def test_an_event_of_a_rolled_back_transaction_is_not_sent() -> None:
    async def scene(events: EventStream) -> None:
        def roll_back() -> None:
            try:
                with transaction.atomic():
                    services.publish(topic="game:a", kind="game", payload={"n": 1})
                    raise ValueError
            except ValueError:
                connections.close_all()

        listener = Listener(events, "game=a")
        await listener.until("id: ")
        await asyncio.to_thread(roll_back)
        await publish_in_thread("game:a", n=2)
        assert '"n":1' not in await listener.until('"n":2')
        await listener.leave()

    run_scene(scene)


def test_old_events_are_pruned_except_the_latest() -> None:
    for number in range(3):
        publish("game:a", n=number)
    last = Outbox.objects.order_by("-id")[0].id
    assert services.prune(before=clock.now() - timedelta(days=1)) == 0
    assert services.prune(before=clock.now() + timedelta(days=1)) == 2
    assert [row.id for row in Outbox.objects.all()] == [last]


def test_the_followed_hook_is_called_for_the_first_and_the_last_follower() -> None:
    FOLLOWED.clear()

    async def scene(events: EventStream) -> None:
        first, second = Listener(events, "game=g&game=h"), Listener(events, "game=g")
        await first.until("id: ")
        await second.until("id: ")
        await first.leave()
        await second.leave()
        refused = await Listener(events, "game=hidden").end()
        assert refused.status == 404
        third = Listener(events, "game=g")
        await third.until("id: ")
        await asyncio.wrap_future(events._notes.submit(int))  # noqa: SLF001 - earlier calls have been made by then
        assert FOLLOWED == [
            ("g", True),
            ("h", True),
            ("g", True),
            ("h", False),
            ("g", False),
            ("g", True),
        ]

    run_scene(scene)
    assert FOLLOWED[6:] == [], "a server that stops does not call the hook"


def test_a_failing_hook_does_not_end_the_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_game: str, _is_followed: bool) -> None:
        raise RuntimeError("no disk")

    async def scene(events: EventStream) -> None:
        monkeypatch.setattr(events, "hooks", replace(HOOKS, followed=fail))
        reader = Listener(events, "game=g")
        await reader.until("id: ")
        await publish_in_thread("game:g", move="11-15")
        await reader.until("11-15")

    run_scene(scene)
