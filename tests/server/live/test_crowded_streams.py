"""Anyone who opens streams without a session takes none of the places of members."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import pytest

from crownhead.server.core.http import household, site_network
from crownhead.server.core.problems import TooMany
from crownhead.server.live.access import Grant
from crownhead.server.live.hub import Hub
from crownhead.server.live.stream import HOUSEHOLDS_PER_NETWORK, EventStream, Limits
from tests.server.live.test_hub import FakeOutbox, line, run_scene
from tests.server.live.test_stream import HOOKS, Listener
from tests.server.live.test_stream import run_scene as run_stream_scene

MEMBER = Grant(7, "here")


class Guests:
    """Streams without a session, each in a task of its own as requests are."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self.tasks: list[asyncio.Task[str]] = []

    async def open(self, many: int) -> None:
        """Open some more; each ends by a word on why."""
        self.tasks += [asyncio.create_task(self._listen()) for _ in range(many)]
        await asyncio.sleep(0.01)

    async def close(self) -> None:
        """End those that are left."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    @property
    def left(self) -> list[int]:
        """Which are open still, by the order in which they were opened."""
        return [place for place, task in enumerate(self.tasks) if not task.done()]

    async def _listen(self) -> str:
        try:
            with self._hub.reader(
                topics=["game:a"], callers={"x": 1000}, write=_write, is_valid=_is_valid
            ) as reader:
                reader.begin(life=60)
                await reader.until_gone(asyncio.Event().wait)
                await reader.stop()
                return "ended"
        except TooMany:
            return "refused"


async def _write(_message: bytes) -> None:
    return


async def _is_valid() -> bool:
    return True


def played(scene: Callable[[Hub, Guests], Awaitable[None]], *, max_streams: int) -> None:
    async def play(_outbox: FakeOutbox, hub: Hub) -> None:
        guests = Guests(hub)
        try:
            await scene(hub, guests)
        finally:
            await guests.close()

    run_scene(play, max_streams=max_streams)


def test_streams_without_a_session_fill_half_and_then_the_oldest_end() -> None:
    async def scene(hub: Hub, guests: Guests) -> None:
        await guests.open(5)
        await guests.open(2)
        assert guests.left == [2, 3, 4, 5, 6]
        assert hub.streams == 5
        with ExitStack() as stack:
            for _ in range(5):
                stack.enter_context(line(hub, ["user:7"], grant=MEMBER))
            assert guests.left == [2, 3, 4, 5, 6]

    played(scene, max_streams=10)


def test_a_member_takes_the_place_of_somebody_unknown_when_all_are_taken() -> None:
    async def scene(hub: Hub, guests: Guests) -> None:
        await guests.open(2)
        with ExitStack() as stack:
            for _ in range(4):
                stack.enter_context(line(hub, ["user:7"], grant=MEMBER))
            await asyncio.sleep(0.01)
            assert guests.left == []
            with pytest.raises(TooMany), line(hub, ["user:7"], grant=MEMBER):
                pass
            await guests.open(1)
            assert guests.tasks[-1].result() == "refused"

    played(scene, max_streams=4)


@pytest.mark.django_db(transaction=True)
def test_a_stream_that_makes_room_completes_its_answer() -> None:
    async def scene(events: EventStream) -> None:
        first = Listener(events, "game=a")
        await first.until("id: ")
        second = Listener(events, "game=a")
        await second.until("id: ")
        await first.end()
        assert first.is_complete
        assert not second.is_complete

    run_stream_scene(scene, Limits(max_streams=2))


@pytest.mark.django_db(transaction=True)
def test_a_stream_that_makes_room_before_it_has_begun_is_refused() -> None:
    is_sending = asyncio.Event()

    class Slow(Listener):
        async def _send(self, message: Any) -> None:
            if not is_sending.is_set():
                is_sending.set()
                await asyncio.Event().wait()
            await super()._send(message)

    async def scene(events: EventStream) -> None:
        first = Slow(events, "game=a")
        await is_sending.wait()
        await Listener(events, "game=a").until("id: ")
        assert (await first.end()).status == 429

    run_stream_scene(scene, Limits(max_streams=2))


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("2001:db8:1:2::9", "2001:db8:1::/48"),
        (household("2001:db8:1:ff::1"), "2001:db8:1::/48"),
        ("192.0.2.1", ""),
        ("unknown", ""),
        ("", ""),
    ],
)
def test_households_are_in_the_network_of_their_customer(address: str, network: str) -> None:
    assert site_network(address) == network


@pytest.mark.django_db(transaction=True)
def test_the_households_of_one_network_have_a_limit_together() -> None:
    async def scene() -> tuple[list[int], int]:
        events = EventStream(HOOKS, Limits(proxies=1, max_per_address=1))
        await events.start()
        try:
            inside = [
                Listener(events, "game=a", x_forwarded_for=f"2001:db8:1:{number}::1")
                for number in range(HOUSEHOLDS_PER_NETWORK + 1)
            ]
            outside = Listener(events, "game=a", x_forwarded_for="2001:db8:2::1")
            await asyncio.gather(*(listener.until("") for listener in inside))
            async with asyncio.timeout(10):
                while not all(listener.status for listener in [*inside, outside]):
                    await asyncio.sleep(0.01)
            return sorted(listener.status for listener in inside), outside.status
        finally:
            await events.stop()

    statuses, outside = asyncio.run(scene())
    assert statuses == [200] * HOUSEHOLDS_PER_NETWORK + [429]
    assert outside == 200


@pytest.mark.django_db(transaction=True)
def test_for_an_address_that_has_its_streams_nothing_is_looked_up() -> None:
    asked: list[Collection[str]] = []

    def watchable(games: Collection[str], user_id: int | None, as_member: bool) -> Collection[str]:
        asked.append(games)
        return HOOKS.watchable(games, user_id, as_member)

    async def scene() -> None:
        events = EventStream(replace(HOOKS, watchable=watchable), Limits(max_per_address=1))
        await events.start()
        try:
            first = Listener(events, "game=a")
            await first.until("id: ")
            for headers in ({}, {"cookie": "sessionid=made-up"}):
                refused = await Listener(events, "game=b", **headers).end()
                assert refused.status == 429
        finally:
            await events.stop()

    asyncio.run(scene())
    assert asked == [("a",)]


@pytest.mark.django_db(transaction=True)
def test_for_a_member_who_has_their_streams_nothing_is_looked_up() -> None:
    asked: list[str] = []

    def grant_of_session(key: str) -> Grant | None:
        asked.append(key)
        return HOOKS.grant_of_session(key)

    async def scene() -> None:
        events = EventStream(replace(HOOKS, grant_of_session=grant_of_session), Limits(max_per_member=1))
        await events.start()
        try:
            first = Listener(events, "game=a", cookie="sessionid=alices-session")
            await first.until("id: ")
            refused = await Listener(events, "game=a", cookie="sessionid=alices-session").end()
            assert refused.status == 429
        finally:
            await events.stop()

    asyncio.run(scene())
    assert asked == ["alices-session"]
