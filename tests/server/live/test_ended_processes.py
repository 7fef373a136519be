"""What the processes of a machine know of each other's streams when one is busy, has ended, or has begun."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from crownhead.server.core.processes.neighbours import ENDED, take_in
from crownhead.server.live import audience, signs, stream
from crownhead.server.live import hub as hubs
from crownhead.server.live.audience import STARTED, Elsewhere
from crownhead.server.live.hub import Hub
from crownhead.server.live.stream import EventStream
from tests.server.live.test_hub import FakeOutbox, line, run_scene
from tests.server.live.test_signs_of_life import Presence, presence, scene_with
from tests.server.live.test_stream import TIMEOUT

__all__ = ["presence"]
pytestmark = pytest.mark.django_db(transaction=True)


class Neighbour:
    """Another process, which gets messages only while it has room."""

    def __init__(self) -> None:
        self.known = Elsewhere()
        self.has_room = True

    def take(self, streams: Mapping[str, int], follower: str, topics: Mapping[str, bool]) -> bool:
        """Stands in for `broadcast_change`."""
        if self.has_room:
            self.known.note(0, streams, follower, topics)
        return self.has_room


@pytest.fixture
def neighbour(monkeypatch: pytest.MonkeyPatch) -> Neighbour:
    other = Neighbour()
    monkeypatch.setattr(hubs, "broadcast_change", other.take)
    monkeypatch.setattr(hubs, "_BUSY", 0.01)
    return other


async def until(neighbour: Neighbour, follows: Mapping[str, set[str]]) -> None:
    """Wait until the other process knows who follows these topics."""
    async with asyncio.timeout(TIMEOUT):
        while {topic: neighbour.known.followers(topic) for topic in follows} != follows:
            await asyncio.sleep(0.01)


def test_what_a_busy_process_has_no_room_for_it_is_told_later_as_it_is_then(neighbour: Neighbour) -> None:
    async def scene(_outbox: FakeOutbox, hub: Hub) -> None:
        with line(hub, ["game:a"], {"user 2": 9}):
            with line(hub, ["user:1", "game:a"], {"user 1": 9, "192.0.2.1": 9}):
                neighbour.has_room = False
            with line(hub, ["game:b"], {"user 3": 9}):
                neighbour.has_room = True
                await until(neighbour, {"user:1": set(), "game:a": {"user 2"}, "game:b": {"user 3"}})
                async with asyncio.timeout(TIMEOUT):
                    while neighbour.known.streams("user 1") or neighbour.known.streams("192.0.2.1"):
                        await asyncio.sleep(0.01)

    run_scene(scene)


def test_nothing_older_follows_what_a_process_that_begins_is_told_meanwhile(neighbour: Neighbour) -> None:
    async def scene(_outbox: FakeOutbox, hub: Hub) -> None:
        with line(hub, ["game:a"], {"user 2": 9}):
            with line(hub, ["user:1"], {"user 1": 9}):
                neighbour.known.forget(0)
                take_in(STARTED, {"place": 1})
            await until(neighbour, {"user:1": set(), "game:a": {"user 2"}})
            async with asyncio.timeout(TIMEOUT):
                while neighbour.known.streams("user 2") != 1 or neighbour.known.streams("user 1"):
                    await asyncio.sleep(0.01)

    run_scene(scene)


@pytest.mark.parametrize("had_just_left", [False, True])
def test_who_was_at_a_process_that_has_ended_and_does_not_come_back_has_left(
    presence: Presence, monkeypatch: pytest.MonkeyPatch, had_just_left: bool
) -> None:
    elsewhere = Elsewhere()
    for module in (audience, hubs, stream):
        monkeypatch.setattr(module, "ELSEWHERE", elsewhere)
    monkeypatch.setattr(signs, "last_heard", lambda _user_id: None)

    async def scene(_events: EventStream) -> None:
        elsewhere.note(1, {"user 1": 1, "user 2": 1}, "user 1", {"user:1": True})
        elsewhere.note(1, {}, "user 2", {"user:2": True, "game:a": True})
        elsewhere.note(2, {"user 2": 1}, "user 2", {"user:2": True})
        if had_just_left:
            elsewhere.note(1, {"user 1": 0}, "user 1", {"user:1": False})
        take_in(ENDED, {"place": 1})
        await presence.until(1, is_here=False)
        assert presence.told == [(1, False)]

    scene_with(presence, scene)
