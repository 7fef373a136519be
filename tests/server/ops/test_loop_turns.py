"""The event loop: an address with many connections keeps nobody else waiting, whatever it sends."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import pytest

from crownhead.server.ops.processes import connections, loop_turns
from crownhead.server.ops.processes.connections import TimedProtocol
from crownhead.server.ops.processes.loop_turns import AT_ONCE, LoopTurns, turns_of
from tests.server.ops.test_connections import Hasty, Site, ended, serve

REQUEST = "GET {} HTTP/1.1\r\nHost: club\r\n\r\n"


def test_so_much_is_done_before_the_loop_does_anything_else_and_households_take_turns() -> None:
    done: list[str] = []

    async def scene() -> list[list[str]]:
        turns = LoopTurns()
        for number in range(3 * AT_ONCE):
            turns.take("many", partial(done.append, f"many {number}"))
        turns.take("few", lambda: done.append("few"))
        rounds = [list(done)]
        for _ in range(4):
            done.clear()
            await asyncio.sleep(0)
            rounds.append(list(done))
        return rounds

    first, second, *rest = asyncio.run(scene())
    assert first == [f"many {number}" for number in range(AT_ONCE)]
    assert "few" in second[:2]
    assert [len(part) for part in (second, *rest)] == [AT_ONCE, AT_ONCE, 1, 0]


def test_who_comes_to_a_loop_at_rest_waits_for_nobody() -> None:
    done: list[int] = []

    async def scene() -> None:
        for number in range(3 * AT_ONCE):
            turns_of(asyncio.get_running_loop()).take("one", partial(done.append, number))
            assert done[-1] == number
            await asyncio.sleep(0)

    asyncio.run(scene())


def test_work_that_fails_holds_up_nobody() -> None:
    done: list[str] = []

    def fail() -> None:
        raise RuntimeError("broken")

    async def scene() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda *_: done.append("reported"))
        turns = LoopTurns()
        for _ in range(AT_ONCE):
            turns.take("one", lambda: None)
        turns.take("one", fail)
        turns.take("two", lambda: done.append("two"))
        for _ in range(3):
            await asyncio.sleep(0)

    asyncio.run(scene())
    assert done == ["reported", "two"]


class Diary(Site):
    """A site that remembers what it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.begun: list[str] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.begun.append(scope["path"])
        await super().__call__(scope, receive, send)


def test_one_request_of_another_household_does_not_wait_for_all_of_the_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(loop_turns, "AT_ONCE", 1)
    households = iter([*20 * ["many"], "few"])
    monkeypatch.setattr(connections, "household", lambda _address: next(households))

    async def scene(site: Site) -> None:
        assert isinstance(site, Diary)
        opened = [await site.open("") for _ in range(21)]
        for _, writer in opened[:20]:
            writer.write(REQUEST.format("/many").encode())
        opened[20][1].write(REQUEST.format("/few").encode())
        for reader, _ in opened:
            await reader.readuntil(b"hello")
        assert site.begun.index("/few") <= 2

    serve(scene, TimedProtocol, Diary())


def test_what_waits_for_its_turn_is_not_added_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing more is received from that connection."""
    waiting: list[Any] = []
    received: list[int] = []
    receive = TimedProtocol.data_received

    def data_received(self: TimedProtocol, data: bytes) -> None:
        received.append(len(data))
        receive(self, data)

    monkeypatch.setattr(TimedProtocol, "data_received", data_received)
    monkeypatch.setattr(LoopTurns, "take", lambda _self, _household, work: waiting.append(work))

    async def scene(site: Site) -> None:
        reader, writer = await site.open(REQUEST.format("/"))
        while not waiting:
            await asyncio.sleep(0)
        writer.write(REQUEST.format("/").encode())
        for _ in range(50):
            await asyncio.sleep(0)
        assert len(received) == len(waiting) == 1
        for _ in range(2):
            waiting.pop()()
            await reader.readuntil(b"hello")
            while not waiting and len(received) < 2:
                await asyncio.sleep(0)

    serve(scene, TimedProtocol)


def test_what_waits_too_long_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LoopTurns, "take", lambda *_: None)

    async def scene(site: Site) -> None:
        reader, _ = await site.open(REQUEST.format("/"))
        assert await ended(reader) == b""

    serve(scene, Hasty)
