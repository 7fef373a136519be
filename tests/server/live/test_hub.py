"""The hub: which reader gets which events, in which order, and when it is disconnected."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any

import pytest

from crownhead.server.core import clock
from crownhead.server.core.problems import TooMany
from crownhead.server.live import audience, messages, readers
from crownhead.server.live import hub as hubs
from crownhead.server.live.access import Grant
from crownhead.server.live.audience import Elsewhere
from crownhead.server.live.bus import Bus
from crownhead.server.live.hub import Hub
from crownhead.server.live.selectors import Event, watchers


def an_event(id_: int, topic: str = "game:a") -> Event:
    """An event of a game."""
    return Event(id_, topic, "game", {}, clock.now())


class FakeOutbox:
    """Stands in for the table."""

    def __init__(self) -> None:
        self.rows: list[Event] = []
        self.bus = Bus()

    def write(self, topic: str) -> int:
        """Add a row and wake the bus; its id."""
        self.rows.append(an_event(len(self.rows) + 1, topic))
        self.bus.wake()
        return len(self.rows)

    async def read(self, after: int, limit: int) -> list[Event]:
        """The rows after a position."""
        return [row for row in self.rows if row.id > after][:limit]

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


class Line:
    """A stream that has begun: what was written to it."""

    def __init__(self) -> None:
        self.text = ""
        self.is_blocked = False
        self._changed = asyncio.Event()

    async def write(self, message: bytes) -> None:
        """Take a message, unless the client reads none."""
        while self.is_blocked:
            await asyncio.Event().wait()
        self.text += message.decode()
        self._changed.set()

    @property
    def ids(self) -> list[int]:
        """The events so far."""
        return [int(id_) for id_ in re.findall(r"^id: (\d+)$", self.text, re.MULTILINE)]

    async def until(self, count: int, *, seconds: float = 2.0) -> list[int]:
        """The ids of all events, once there are so many."""
        async with asyncio.timeout(seconds):
            while len(self.ids) < count:
                self._changed.clear()
                await self._changed.wait()
        return self.ids


async def _is_valid() -> bool:
    return True


@contextmanager
def line(
    hub: Hub,
    topics: Sequence[str],
    callers: Mapping[str, int] | None = None,
    grant: Grant | None = None,
) -> Iterator[Line]:
    """A stream of these topics."""
    opened = Line()
    callers = callers or {"x": 10}
    with hub.reader(
        topics=topics, callers=callers, grant=grant, write=opened.write, is_valid=_is_valid
    ) as reader:
        reader.begin(life=60)
        yield opened


def test_a_reader_gets_only_its_topics_in_order() -> None:
    async def scene(outbox: FakeOutbox, hub: Hub) -> None:
        with line(hub, ["game:a", "user:1"]) as opened:
            for topic in ("game:a", "game:b", "user:1", "user:2", "game:a"):
                outbox.write(topic)
            assert await opened.until(3) == [1, 3, 5]

    run_scene(scene)


def test_events_from_other_threads_arrive_at_once() -> None:
    async def scene(outbox: FakeOutbox, hub: Hub) -> None:
        with line(hub, ["game:a"]) as opened:
            await asyncio.to_thread(outbox.write, "game:a")
            await opened.until(1, seconds=hubs.POLL / 2)

    run_scene(scene)


def test_rows_of_another_process_are_found_by_polling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hubs, "POLL", 0.02)

    async def scene(outbox: FakeOutbox, hub: Hub) -> None:
        with line(hub, ["game:a"]) as opened:
            outbox.rows.append(an_event(1))
            assert await opened.until(1) == [1]

    run_scene(scene)


def test_rows_of_a_worker_are_found_quickly_after_an_event() -> None:
    async def scene(outbox: FakeOutbox, hub: Hub) -> None:
        with line(hub, ["game:a"]) as opened:
            for number in (1, 3):
                outbox.write("game:a")
                assert (await opened.until(number))[-1] == number
                outbox.rows.append(an_event(number + 1))  # by another process: no wake-up
                await opened.until(number + 1, seconds=hubs.POLL - hubs.POLL_SOON)

    run_scene(scene)


def test_more_rows_than_a_batch_are_all_dispatched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hubs, "_BATCH", 3)

    async def scene(outbox: FakeOutbox, hub: Hub) -> None:
        with line(hub, ["game:a"]) as opened:
            for _ in range(10):
                outbox.rows.append(an_event(len(outbox.rows) + 1))
            outbox.bus.wake()
            assert await opened.until(10) == list(range(1, 11))

    run_scene(scene)


def test_an_event_is_encoded_once_for_all_its_readers(monkeypatch: pytest.MonkeyPatch) -> None:
    encoded: list[int] = []
    encode = messages.encode_event

    def count(event: Event, **options: Any) -> bytes:
        encoded.append(event.id)
        return encode(event, **options)

    monkeypatch.setattr(hubs, "encode_event", count)

    async def scene(outbox: FakeOutbox, hub: Hub) -> None:
        with line(hub, ["game:a"]) as one, line(hub, ["game:a", "game:b"]) as other:
            for topic in ("game:a", "game:unread", "game:a"):
                outbox.write(topic)
            assert await one.until(2) == await other.until(2) == [1, 3]
            assert encoded == [1, 3]

    run_scene(scene)


def test_a_reader_that_falls_behind_is_disconnected_and_the_others_continue(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(readers, "QUEUE", 5)

    async def scene(outbox: FakeOutbox, hub: Hub) -> None:
        started = asyncio.Event()

        async def slow() -> bool:
            blocked = Line()
            blocked.is_blocked = True
            with hub.reader(
                topics=["game:a"], callers={"slow": 10}, write=blocked.write, is_valid=_is_valid
            ) as reader:
                reader.begin(life=60)
                started.set()
                await reader.until_gone(asyncio.Event().wait)
                await reader.stop()
                return reader.is_over

        hanging = asyncio.create_task(slow())
        await started.wait()
        with line(hub, ["game:a"]) as opened:
            for number in range(1, 10):
                outbox.write("game:a")
                assert (await opened.until(number))[-1] == number
        assert await hanging

    run_scene(scene)


def test_an_event_for_two_does_not_wait_for_the_crowd_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hubs, "_CROWD", 20)
    monkeypatch.setattr(hubs, "_SLICE", 5)

    async def scene(outbox: FakeOutbox, hub: Hub) -> None:
        with ExitStack() as stack:
            crowd = [stack.enter_context(line(hub, ["game:a"], {"x": 200})) for _ in range(100)]
            player = stack.enter_context(line(hub, ["game:b"], {"y": 10}))
            outbox.write("game:a")
            outbox.write("game:b")
            assert await player.until(1) == [2]
            assert sum(not opened.ids for opened in crowd) > 50
            for opened in crowd:
                assert await opened.until(1) == [1]

    run_scene(scene, max_streams=400)


def test_what_a_reader_gets_stays_in_order_though_it_waits_with_a_crowd(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hubs, "_CROWD", 1)
    monkeypatch.setattr(hubs, "_SLICE", 1)

    async def scene(outbox: FakeOutbox, hub: Hub) -> None:
        with line(hub, ["game:a"]), line(hub, ["game:a", "game:b"]) as opened:
            for topic in ("game:a", "game:b", "game:a", "game:b"):
                outbox.write(topic)
            assert await opened.until(4) == [1, 2, 3, 4]

    run_scene(scene)


def test_every_line_is_shown_to_be_open_by_one_timer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hubs, "QUIET", 0.15)

    async def scene(_outbox: FakeOutbox, hub: Hub) -> None:
        before = len(asyncio.all_tasks())
        with ExitStack() as stack:
            lines = [stack.enter_context(line(hub, ["game:a"], {"x": 200})) for _ in range(20)]
            assert len(asyncio.all_tasks()) == before
            async with asyncio.timeout(5):
                while any(opened.text.count("still here") < 2 for opened in lines):
                    await asyncio.sleep(0)

    run_scene(scene)


def test_streams_are_limited_per_caller_and_in_total() -> None:
    def of(caller: str, hub: Hub) -> AbstractContextManager[Line]:
        return line(hub, ["game:a"], {caller: 2}, grant=Grant(7, "here"))

    async def scene(_outbox: FakeOutbox, hub: Hub) -> None:
        with of("x", hub), of("x", hub):
            with pytest.raises(TooMany), of("x", hub):
                pass
            with of("y", hub), pytest.raises(TooMany), of("z", hub):
                pass
        with of("x", hub):
            pass

    run_scene(scene, max_streams=3)


def test_a_stream_counts_for_the_member_and_for_the_address() -> None:
    async def scene(_outbox: FakeOutbox, hub: Hub) -> None:
        def callers(member: str, address: str) -> dict[str, int]:
            return {member: 2, address: 3}

        with (
            line(hub, ["game:a"], callers("user 1", "192.0.2.1")),
            line(hub, ["game:a"], callers("user 1", "192.0.2.1")),
            line(hub, ["game:a"], callers("user 2", "192.0.2.1")),
        ):
            for member, address in (("user 1", "192.0.2.9"), ("user 3", "192.0.2.1")):
                with pytest.raises(TooMany), line(hub, ["game:a"], callers(member, address)):
                    pass
            with line(hub, ["game:a"], callers("user 3", "192.0.2.9")):
                assert watchers("a", players=[1]) == 2
        with line(hub, ["game:a"], callers("user 1", "192.0.2.1")):
            pass

    run_scene(scene)


def test_streams_with_other_processes_count(monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = Elsewhere()
    for module in (hubs, audience):
        monkeypatch.setattr(module, "ELSEWHERE", elsewhere)

    async def scene(_outbox: FakeOutbox, hub: Hub) -> None:
        elsewhere.note(1, {"user 1": 1}, "user 1", {"game:a": True})
        elsewhere.note(2, {"user 2": 1}, "user 2", {"game:a": True})
        with line(hub, ["game:a"], {"user 1": 2}):
            assert watchers("a", players=[]) == 2
            with pytest.raises(TooMany), line(hub, ["game:a"], {"user 1": 2}):
                pass
            elsewhere.forget(1)
            with line(hub, ["game:a"], {"user 1": 2}):
                pass

    run_scene(scene)


def test_a_closed_hub_ends_its_readers_and_accepts_no_more() -> None:
    async def scene(outbox: FakeOutbox, hub: Hub) -> None:
        opened = Line()
        with hub.reader(
            topics=["game:a"], callers={"x": 10}, write=opened.write, is_valid=_is_valid
        ) as reader:
            reader.begin(life=60)
            outbox.write("game:a")
            await opened.until(1)
            hub.close()
            await reader.until_gone(asyncio.Event().wait)
            assert reader.is_over
            assert "retry: " in opened.text, "they are not to come back all at once"
        with pytest.raises(TooMany), line(hub, ["game:a"]):
            pass

    run_scene(scene)


def test_a_failing_read_of_the_outbox_is_retried(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(hubs, "POLL", 0.01)

    async def play() -> None:
        outbox = FakeOutbox()
        failures = [OSError("disk")]

        async def read(after: int, limit: int) -> list[Event]:
            if failures:
                raise failures.pop()
            return await outbox.read(after, limit)

        hub = Hub(bus=outbox.bus, read=read, max_streams=10)
        await hub.start(0)
        with line(hub, ["game:a"]) as opened:
            outbox.write("game:a")
            assert await opened.until(1) == [1]
        await hub.stop()

    asyncio.run(play())
    assert "could not read the outbox" in caplog.text


def test_waking_a_bus_without_a_listener_is_no_error() -> None:
    bus: Any = Bus()
    bus.wake()


def test_an_open_stream_counts_in_the_audience_until_it_ends() -> None:
    async def scene(_outbox: FakeOutbox, hub: Hub) -> None:
        with line(hub, ["game:a"], {"user 1": 10}), line(hub, ["game:a"], {"user 1": 10}):
            with line(hub, ["game:a", "game:b"], {"user 2": 10}):
                assert watchers("a", players=[]) == 2
                assert watchers("a", players=[1]) == 1
                assert watchers("b", players=[2]) == 0
            assert watchers("a", players=[]) == 1
        assert watchers("a", players=[]) == 0

    run_scene(scene)


@pytest.mark.parametrize("steps", range(4))
def test_a_hub_ends_also_in_the_moment_of_news(steps: int) -> None:
    async def play() -> None:
        outbox = FakeOutbox()
        hub = outbox.hub()
        await hub.start(0)
        await asyncio.sleep(0.01)
        outbox.bus.wake_here()
        for _ in range(steps):
            await asyncio.sleep(0)
        _done, waiting = await asyncio.wait({asyncio.create_task(hub.stop())}, timeout=2)
        assert not waiting

    asyncio.run(play())
