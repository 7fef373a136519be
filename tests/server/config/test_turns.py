"""Households take turns for the threads of the pages."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from crownhead.server.config import turns
from crownhead.server.config.bridge import Environ, WsgiBridge
from crownhead.server.config.turns import Turns
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
