"""Who waits for whom: events for nobody."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from crownhead.server.live import hub
from crownhead.server.live.access import Grant
from crownhead.server.live.stream import EventStream, Limits
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
