"""Who waits for whom: events for nobody, and those who come in for nobody of another household."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from crownhead.server.core.problems import TooMany
from crownhead.server.live import hub
from crownhead.server.live.access import Grant
from crownhead.server.live.door import Door
from crownhead.server.live.stream import EventStream, Limits
from tests.server.live.test_revoked_streams import Doors
from tests.server.live.test_stream import HOOKS, SESSIONS, TIMEOUT, Listener, publish_in_thread

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _rare_polling(monkeypatch: pytest.MonkeyPatch) -> None:
    """The database of the tests is in memory, where reading a table locks out writers."""
    monkeypatch.setattr(hub, "POLL_SOON", hub.POLL)


class Gate:
    """A thread that comes to it waits until it is opened; ``passed``: who came, by their sessions."""

    def __init__(self) -> None:
        self.passed: list[str] = []
        self._reached, self._open = threading.Event(), threading.Event()

    def wait(self, who: str) -> None:
        """Come, and wait."""
        self.passed.append(who)
        self._reached.set()
        self._open.wait(TIMEOUT)

    def look_up(self, session: str) -> Grant | None:
        """Whose a session is, once the gate is open."""
        self.wait(session)
        return SESSIONS.get(session)

    async def reached(self) -> None:
        """Once somebody waits."""
        await asyncio.to_thread(self._reached.wait, TIMEOUT)

    def open(self) -> None:
        """Let all pass."""
        self._open.set()


def play(scene: Callable[[EventStream, Gate], Awaitable[None]], *, max_per_address: int = 200) -> list[str]:
    """Play a scene with a gate, which is open at its end; returns who has passed it."""
    gate = Gate()

    async def run() -> None:
        events = EventStream(HOOKS, Limits(proxies=1, max_per_address=max_per_address))
        await events.start()
        try:
            await scene(events, gate)
        finally:
            gate.open()
            await events.stop()

    asyncio.run(run())
    return gate.passed


def member(events: EventStream, session: str, *, at: str = "198.51.100.1") -> Listener:
    """A page that shows a session, and follows a game."""
    return Listener(events, "game=g", cookie=f"sessionid={session}", x_forwarded_for=at)


def strangers(events: EventStream, many: int) -> list[Listener]:
    """Requests of one address that show made-up sessions, which open nothing."""
    cookies = [f"sessionid=made-up-{number}" for number in range(many)]
    return [Listener(events, cookie=cookie, x_forwarded_for="192.0.2.1") for cookie in cookies]


async def settled() -> None:
    """Once all that runs on the loop waits for something else."""
    for _ in range(20):
        await asyncio.sleep(0)


@pytest.mark.parametrize("noted", ["here", "followed"])
def test_no_event_waits_until_all_who_have_come_are_noted(noted: str) -> None:
    async def scene(events: EventStream, gate: Gate) -> None:
        reader = Listener(events, "game=g")
        await reader.until("id: ")

        def note(*_who: object) -> None:
            gate.wait(noted)

        hooks: dict[str, Any] = {noted: note}
        events.hooks = replace(HOOKS, **hooks)
        other = member(events, "bobs-session")
        await gate.reached()
        await publish_in_thread("game:g", move="11-15")
        await reader.until("11-15")
        await other.until("11-15")

    assert play(scene) == [noted]


def test_a_request_of_another_household_does_not_wait_for_all_of_a_strangers() -> None:
    async def scene(events: EventStream, gate: Gate) -> None:
        events.hooks = replace(HOOKS, grant_of_session=gate.look_up)
        asked = strangers(events, 20)
        await gate.reached()
        page = member(events, "alices-session")
        await settled()
        gate.open()
        await page.until("id: ")
        await asyncio.gather(*(one.end() for one in asked))

    assert play(scene)[:3] == ["made-up-0", "made-up-1", "alices-session"]


def test_nothing_is_looked_up_for_clients_that_have_left_the_line() -> None:
    async def scene(events: EventStream, gate: Gate) -> None:
        events.hooks = replace(HOOKS, grant_of_session=gate.look_up)
        asked = strangers(events, 5)
        await gate.reached()
        page = member(events, "alices-session")
        await asyncio.gather(*(one.leave() for one in asked[1:]))
        gate.open()
        await page.until("id: ")
        assert [one.status for one in asked[1:]] == [0] * 4

    assert play(scene) == ["made-up-0", "alices-session"]


def test_a_household_that_has_enough_requests_in_line_is_turned_away() -> None:
    async def scene(events: EventStream, gate: Gate) -> None:
        events.hooks = replace(HOOKS, grant_of_session=gate.look_up)
        asked = strangers(events, 4)
        await gate.reached()
        refused = await asked[-1].end()
        assert refused.status == 429
        assert refused.headers["retry-after"]
        page = member(events, "alices-session")
        await settled()
        gate.open()
        await page.until("id: ")

    assert "made-up-3" not in play(scene, max_per_address=1)


def test_a_stream_whose_grant_may_have_ended_does_not_wait_behind_those_who_come_in() -> None:
    async def scene(events: EventStream, gate: Gate) -> None:
        page = member(events, "alices-session")
        await page.until("id: ")
        doors = Doors(events)
        events.hooks = replace(events.hooks, grant_of_session=gate.look_up)
        asked = strangers(events, 5)
        await gate.reached()
        await doors.end(ended=["here"])
        async with asyncio.timeout(TIMEOUT):
            while not events.hub.revocations:
                await asyncio.sleep(0.01)
        await publish_in_thread("game:g", move="11-15")
        await settled()
        assert "11-15" not in page.text
        gate.open()
        await page.until("11-15")
        await asyncio.gather(*(one.end() for one in asked))

    assert play(scene)[:3] == ["made-up-0", "alices-session", "made-up-1"]


def test_who_waits_in_line_is_told_to_come_again_when_the_server_stops() -> None:
    async def run() -> list[str]:
        gate, door, here = Gate(), Door(most=5, most_of_household=5), asyncio.Event()

        async def receive() -> dict[str, str]:
            await here.wait()
            return {"type": "http.disconnect"}

        async def ask(who: str) -> None:
            await door.admit(lambda: gate.wait(who), household="192.0.2.1", receive=receive)

        asked = [asyncio.create_task(ask(who)) for who in ("first", "second", "third")]
        await gate.reached()
        closing = asyncio.create_task(door.close())
        await settled()
        gate.open()
        await closing
        outcomes = await asyncio.gather(*asked, return_exceptions=True)
        assert [type(outcome) for outcome in outcomes] == [type(None), TooMany, TooMany]
        return gate.passed

    assert asyncio.run(run()) == ["first"]
