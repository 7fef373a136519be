"""Households take turns for the threads of the pages."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from crownhead.server.config.bridge import Environ, WsgiBridge
from crownhead.server.core.processes import turns
from crownhead.server.core.processes.turns import ClientLeft, Turns
from tests.server.config.test_bridge import Exchange, body, echo, scope


def queued(*callers: str) -> tuple[list[str], list[int]]:
    """Requests that come one by one to a thread that is busy: the addresses as served, the statuses."""
    free = threading.Event()
    served: list[str] = []

    def wait(environ: Environ, start: Callable[..., Any]) -> Iterable[bytes]:
        free.wait(5)
        served.append(environ["REMOTE_ADDR"])
        return echo(environ, start)

    async def all_of_them() -> list[int]:
        bridged = WsgiBridge(wait, threads=1)
        exchanges, tasks = [Exchange(body()) for _ in callers], []
        for caller, exchange in zip(callers, exchanges, strict=True):
            asked = bridged(scope(client=(caller, 4711)), exchange.receive, exchange.send)
            tasks.append(asyncio.create_task(asked))
            await asyncio.sleep(0.01)
        free.set()
        await asyncio.gather(*tasks)
        return [exchange.status for exchange in exchanges]

    return served, asyncio.run(all_of_them())


def test_a_queue_that_is_too_long_turns_requests_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "MAX_WAITING", 2)
    _served, statuses = queued("192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4")
    assert statuses == [200, 200, 200, 503]


def test_a_household_fills_a_part_of_the_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "MAX_OF_HOUSEHOLD", 1)
    _served, statuses = queued("192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2")
    assert statuses == [200, 200, 503, 200]


def test_a_few_households_keep_nobody_else_from_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "MAX_WAITING", 6)
    served, statuses = queued(*["192.0.2.1"] * 4, *["192.0.2.2"] * 3, "192.0.2.3", "192.0.2.4", "192.0.2.1")
    assert statuses == [200, 200, 200, 503, 200, 200, 503, 200, 200, 503]
    assert [address[-1] for address in served] == ["1", "1", "2", "3", "4", "1", "2"]


def test_a_piece_of_an_answer_that_has_begun_makes_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "MAX_WAITING", 2)

    async def asking() -> list[str]:
        line, served = Turns(1), []

        async def ask(name: str, caller: str, *, is_new: bool) -> None:
            async with line.turn_of(caller, is_new=is_new):
                served.append(name)
                await asyncio.sleep(0.01)

        tasks = []
        asked = (("first", "a", True), ("new", "b", True), ("piece", "b", False), ("other", "c", True))
        for name, caller, is_new in asked:
            tasks.append(asyncio.create_task(ask(name, caller, is_new=is_new)))
            await asyncio.sleep(0)
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(outcome) for outcome in outcomes] == [type(None), turns.LineFull, type(None), type(None)]
        return served

    assert asyncio.run(asking()) == ["first", "piece", "other"]


def test_households_take_turns() -> None:
    served, _statuses = queued(*["192.0.2.1"] * 4, "192.0.2.2", "192.0.2.2", "192.0.2.3")
    assert [address[-1] for address in served] == ["1", "1", "2", "3", "1", "2", "1"]


def test_who_leaves_the_queue_keeps_nobody_waiting() -> None:
    async def leaving() -> list[str]:
        served: list[str] = []
        line = Turns(1)

        async def ask(caller: str, *, seconds: float = 0) -> None:
            async with line.turn_of(caller):
                served.append(caller)
                await asyncio.sleep(seconds)

        tasks = [asyncio.create_task(ask("a", seconds=0.05))]
        await asyncio.sleep(0.01)
        tasks += [asyncio.create_task(ask(caller)) for caller in "bbcd"]
        await asyncio.sleep(0.01)
        tasks[1].cancel()
        tasks[0].cancel()  # the turn is passed on at the moment in which the next one leaves, too
        await asyncio.sleep(0)
        tasks[3].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.wait_for(ask("e"), 1)
        return served

    assert asyncio.run(leaving()) == ["a", "b", "d", "e"]


class Line:
    """Requests for a thread that is busy until `free`; ``served``: the names of those that got it."""

    def __init__(self, **bounds: int) -> None:
        self.turns, self.served = Turns(1, **bounds), list[str]()
        self.free, self.tasks = asyncio.Event(), list[asyncio.Task[None]]()

    async def ask(self, name: str, household: str | None, *, has_left: asyncio.Event | None = None) -> None:
        """One more request; its client is there until an event, if it is asked at all."""

        async def receive() -> dict[str, Any]:
            assert has_left is not None
            await has_left.wait()
            return {"type": "http.disconnect"}

        async def take() -> None:
            async with self.turns.turn_of(household, is_new=True, receive=receive if has_left else None):
                self.served.append(name)
                await self.free.wait()

        self.tasks.append(asyncio.create_task(take()))
        await asyncio.sleep(0)

    async def outcomes(self) -> list[str]:
        """Why each that got no thread did not, once all have had their turn."""
        self.free.set()
        found = await asyncio.wait_for(asyncio.gather(*self.tasks, return_exceptions=True), 5)
        return [type(outcome).__name__ for outcome in found if outcome is not None]


def test_what_is_of_no_household_comes_before_all_others() -> None:
    async def scene() -> list[str]:
        line = Line()
        for name, household in (("first", "a"), ("a", "a"), ("b", "b"), ("x", None), ("c", "c"), ("y", None)):
            await line.ask(name, household)
        assert await line.outcomes() == []
        return line.served

    assert asyncio.run(scene()) == ["first", "x", "y", "a", "b", "c"]


def test_a_client_that_has_left_makes_room_at_once_and_gets_no_turn() -> None:
    async def scene() -> list[str]:
        line, left = Line(most_of_household=2), asyncio.Event()
        for name in "xyz":
            await line.ask(name, "a", has_left=left)
        await line.ask("b", "b", has_left=asyncio.Event())
        with pytest.raises(turns.LineFull):
            line.turns.expect_room("a")
        left.set()
        for _ in range(5):
            await asyncio.sleep(0)
        line.turns.expect_room("a")
        await line.ask("after", "a")
        assert await line.outcomes() == [ClientLeft.__name__] * 2
        async with asyncio.timeout(5), line.turns.turn_of("c"):
            return line.served

    assert asyncio.run(scene()) == ["x", "b", "after"]


@pytest.mark.parametrize(("method", "made"), [("GET", 1), ("HEAD", 1), ("POST", 3), ("DELETE", 3)])
def test_a_page_is_not_made_for_a_client_that_has_left_but_a_change_is(method: str, made: int) -> None:
    free, begun = threading.Event(), threading.Event()
    served: list[str] = []

    def wait(environ: Environ, start: Callable[..., Any]) -> Iterable[bytes]:
        served.append(environ["REQUEST_METHOD"])
        begun.set()
        free.wait(5)
        return echo(environ, start)

    async def all_of_them() -> None:
        bridged = WsgiBridge(wait, threads=1)
        stays = Exchange(body())
        tasks = [asyncio.create_task(bridged(scope(method=method), stays.receive, stays.send))]
        await asyncio.to_thread(begun.wait, 5)
        gone = [Exchange(body(), {"type": "http.disconnect"}) for _ in range(2)]
        tasks += [asyncio.create_task(bridged(scope(method=method), one.receive, one.send)) for one in gone]
        for _ in range(5):
            await asyncio.sleep(0)
        free.set()
        await asyncio.gather(*tasks)
        bridged.close()
        assert stays.status == 200

    asyncio.run(all_of_them())
    assert len(served) == made


def test_a_request_that_is_turned_away_and_given_up_at_once_frees_no_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(turns, "MAX_WAITING", 2)
    served: list[str] = []

    async def ask(turn: Turns, household: str, free: asyncio.Event) -> None:
        async with turn.turn_of(household, is_new=True):
            served.append(household)
            await free.wait()

    async def all_of_them() -> list[str]:
        turn, free = Turns(1), asyncio.Event()
        tasks = []
        for household in ("a", "b", "b", "c"):
            tasks.append(asyncio.create_task(ask(turn, household, free)))
            await asyncio.sleep(0)
        tasks[2].cancel()  # who has just been turned away for c
        for _ in range(5):
            await asyncio.sleep(0)
        while_busy = list(served)
        free.set()
        await asyncio.gather(*tasks, return_exceptions=True)
        return while_busy

    assert asyncio.run(all_of_them()) == ["a"]
    assert served == ["a", "b", "c"]
