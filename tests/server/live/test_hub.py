"""The hub: which reader gets which events, in which order, and when it is disconnected."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from typing import Any

import pytest

from crownhead.server.core.problems import TooMany
from crownhead.server.live import hub as hubs
from crownhead.server.live.audience import watchers
from crownhead.server.live.bus import Bus
from crownhead.server.live.hub import Hub
from crownhead.server.live.selectors import Event


class FakeOutbox:
    """Stands in for the table."""

    def __init__(self) -> None:
        self.rows: list[Event] = []
        self.bus = Bus()

    def write(self, topic: str) -> int:
        """Add a row and wake the bus; its id."""
        self.rows.append(Event(len(self.rows) + 1, topic, "game", {}))
        self.bus.wake()
        return len(self.rows)

    async def read(self, after: int, late: Collection[int], limit: int) -> list[Event]:
        """The rows after an id, and the late ones."""
        rows = [row for row in self.rows if row.id > after or row.id in late]
        return sorted(rows, key=lambda row: row.id)[:limit]

    def hub(self, *, max_streams: int = 100) -> Hub:
        """A hub that reads from this outbox."""
        return Hub(bus=self.bus, read=self.read, max_streams=max_streams)


def run_scene(scene: Callable[[FakeOutbox, Hub], Awaitable[None]], **limits: int) -> None:
    """Run a scene with a running hub."""

    async def play() -> None:
        outbox = FakeOutbox()
        hub = outbox.hub(**limits)
        await hub.start(0)
        try:
            await asyncio.wait_for(scene(outbox, hub), 10)
        finally:
            await hub.stop()

    asyncio.run(play())


async def ids(queue: asyncio.Queue[Event | None], count: int) -> list[int]:
    """The ids of the next events."""
    events = [await asyncio.wait_for(queue.get(), 2) for _ in range(count)]
    return [event.id for event in events if event]


def test_a_reader_gets_only_its_topics_in_order() -> None:
    async def scene(outbox: FakeOutbox, hub: Hub) -> None:
        with hub.reader(topics=["game:a", "user:1"], callers={"x": 10}) as reader:
            for topic in ("game:a", "game:b", "user:1", "user:2", "game:a"):
                outbox.write(topic)
            assert await ids(reader.queue, 3) == [1, 3, 5]
            assert reader.queue.empty()

    run_scene(scene)


def test_events_from_other_threads_arrive_at_once() -> None:
    async def scene(outbox: FakeOutbox, hub: Hub) -> None:
        with hub.reader(topics=["game:a"], callers={"x": 10}) as reader:
            await asyncio.to_thread(outbox.write, "game:a")
            event = await asyncio.wait_for(reader.queue.get(), hubs.POLL / 2)
            assert event is not None

    run_scene(scene)


def test_rows_of_another_process_are_found_by_polling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hubs, "POLL", 0.02)

    async def scene(outbox: FakeOutbox, hub: Hub) -> None:
        with hub.reader(topics=["game:a"], callers={"x": 10}) as reader:
            outbox.rows.append(Event(1, "game:a", "game", {}))
            assert await ids(reader.queue, 1) == [1]

    run_scene(scene)


def test_rows_of_a_worker_are_found_quickly_after_an_event() -> None:
    async def scene(outbox: FakeOutbox, hub: Hub) -> None:
        with hub.reader(topics=["game:a"], callers={"x": 10}) as reader:
            for number in (1, 3):
                outbox.write("game:a")
                assert await ids(reader.queue, 1) == [number]
                outbox.rows.append(Event(number + 1, "game:a", "game", {}))  # by another process: no wake-up
                event = await asyncio.wait_for(reader.queue.get(), hubs.POLL - hubs.POLL_SOON)
                assert event is not None

    run_scene(scene)


def test_more_rows_than_a_batch_are_all_dispatched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hubs, "_BATCH", 3)

    async def scene(outbox: FakeOutbox, hub: Hub) -> None:
        with hub.reader(topics=["game:a"], callers={"x": 10}) as reader:
            for _ in range(10):
                outbox.rows.append(Event(len(outbox.rows) + 1, "game:a", "game", {}))
            outbox.bus.wake()
            assert await ids(reader.queue, 10) == list(range(1, 11))

    run_scene(scene)


def test_a_reader_that_falls_behind_is_disconnected_and_the_others_continue(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hubs, "QUEUE", 5)

    async def scene(outbox: FakeOutbox, hub: Hub) -> None:
        started = asyncio.Event()

        async def slow() -> bool:
            with hub.reader(topics=["game:a"], callers={"slow": 10}) as reader:
                started.set()
                try:
                    await asyncio.Event().wait()
                except asyncio.CancelledError:
                    return reader.too_slow
            return False

        hanging = asyncio.create_task(slow())
        await started.wait()
        with hub.reader(topics=["game:a"], callers={"quick": 10}) as reader:
            for number in range(1, 10):
                outbox.write("game:a")
                assert await ids(reader.queue, 1) == [number]
        assert await hanging

    run_scene(scene)


def test_streams_are_limited_per_caller_and_in_total() -> None:
    async def scene(_outbox: FakeOutbox, hub: Hub) -> None:
        with hub.reader(topics=["game:a"], callers={"x": 2}), hub.reader(topics=["game:a"], callers={"x": 2}):
            with pytest.raises(TooMany), hub.reader(topics=["game:a"], callers={"x": 2}):
                pass
            with (
                hub.reader(topics=["game:a"], callers={"y": 2}),
                pytest.raises(TooMany),
                hub.reader(topics=["game:a"], callers={"z": 2}),
            ):
                pass
        with hub.reader(topics=["game:a"], callers={"x": 2}):
            pass

    run_scene(scene, max_streams=3)


def test_a_stream_counts_for_the_member_and_for_the_address() -> None:
    async def scene(_outbox: FakeOutbox, hub: Hub) -> None:
        def callers(member: str, address: str) -> dict[str, int]:
            return {member: 2, address: 3}

        with (
            hub.reader(topics=["game:a"], callers=callers("user 1", "192.0.2.1")),
            hub.reader(topics=["game:a"], callers=callers("user 1", "192.0.2.1")),
            hub.reader(topics=["game:a"], callers=callers("user 2", "192.0.2.1")),
        ):
            for member, address in (("user 1", "192.0.2.9"), ("user 3", "192.0.2.1")):
                with pytest.raises(TooMany), hub.reader(topics=["game:a"], callers=callers(member, address)):
                    pass
            with hub.reader(topics=["game:a"], callers=callers("user 3", "192.0.2.9")):
                assert watchers("a", players=[1]) == 2
        with hub.reader(topics=["game:a"], callers=callers("user 1", "192.0.2.1")):
            pass

    run_scene(scene)


def test_a_closed_hub_ends_its_readers_and_accepts_no_more() -> None:
    async def scene(_outbox: FakeOutbox, hub: Hub) -> None:
        with hub.reader(topics=["game:a"], callers={"x": 10}) as reader:
            hub.close()
            assert await reader.queue.get() is None
        with pytest.raises(TooMany), hub.reader(topics=["game:a"], callers={"x": 10}):
            pass

    run_scene(scene)


def test_a_failing_read_of_the_outbox_is_retried(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(hubs, "POLL", 0.01)

    async def play() -> None:
        outbox = FakeOutbox()
        failures = [OSError("disk")]

        async def read(after: int, late: Collection[int], limit: int) -> list[Event]:
            if failures:
                raise failures.pop()
            return await outbox.read(after, late, limit)

        hub = Hub(bus=outbox.bus, read=read, max_streams=10)
        await hub.start(0)
        with hub.reader(topics=["game:a"], callers={"x": 10}) as reader:
            outbox.write("game:a")
            assert await ids(reader.queue, 1) == [1]
        await hub.stop()

    asyncio.run(play())
    assert "could not read the outbox" in caplog.text


def test_an_event_that_commits_after_a_later_one_is_still_dispatched() -> None:
    async def scene(outbox: FakeOutbox, hub: Hub) -> None:
        with hub.reader(topics=["game:a"], callers={"x": 10}) as reader:
            outbox.rows.append(Event(2, "game:a", "game", {}))
            outbox.bus.wake()
            assert await ids(reader.queue, 1) == [2]
            outbox.rows.append(Event(1, "game:a", "game", {}))
            outbox.bus.wake()
            assert await ids(reader.queue, 1) == [1]
            assert hub.position == 2
            assert list(hub.late_ids) == [1]
            outbox.rows.append(Event(3, "game:a", "game", {}))
            outbox.bus.wake()
            assert await ids(reader.queue, 1) == [3]  # and 1 and 2 not again

    run_scene(scene)


def test_waking_a_bus_without_a_listener_is_no_error() -> None:
    bus: Any = Bus()
    bus.wake()


def test_an_open_stream_counts_in_the_audience_until_it_ends() -> None:
    async def scene(_outbox: FakeOutbox, hub: Hub) -> None:
        with (
            hub.reader(topics={"game:a"}, callers={"user 1": 10}),
            hub.reader(topics={"game:a"}, callers={"user 1": 10}),
        ):
            with hub.reader(topics={"game:a", "game:b"}, callers={"user 2": 10}):
                assert watchers("a", players=[]) == 2
                assert watchers("a", players=[1]) == 1
                assert watchers("b", players=[2]) == 0
            assert watchers("a", players=[]) == 1
        assert watchers("a", players=[]) == 0

    run_scene(scene)
