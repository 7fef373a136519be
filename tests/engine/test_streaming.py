"""Searches beside an event loop: reports come at once, the loop keeps running, a search can be stopped."""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing, suppress

import pytest

from crownhead import Position, engine
from crownhead.engine import Engine, Report

START = Position.start("american")


def test_reports_come_as_the_search_goes_deeper() -> None:
    async def all_of() -> list[Report]:
        return [report async for report in engine.stream(START, depth=7)]

    reports = asyncio.run(all_of())
    depths = [report.depth for report in reports]
    assert depths == sorted(depths)  # some may be left out where the search ends first
    assert depths[-1] == 7


def test_the_result_is_that_of_a_plain_search() -> None:
    found = asyncio.run(engine.analyse_async(START, depth=7, lines=2))
    assert [line.moves for line in found.lines] == [
        line.moves for line in Engine(megabytes=16).analyse(START, depth=7, lines=2).lines
    ]


def test_the_event_loop_keeps_running_during_a_search() -> None:
    async def count_during_the_search() -> int:
        search = asyncio.create_task(engine.analyse_async(START, seconds=0.5))
        beats = 0
        while not search.done():
            await asyncio.sleep(0.01)
            beats += 1
        return beats

    assert asyncio.run(count_during_the_search()) >= 10


def test_a_search_that_is_cancelled_ends_at_once() -> None:
    async def cancel() -> float:
        search = asyncio.create_task(engine.analyse_async(START, seconds=60))
        await asyncio.sleep(0.1)
        begun = time.monotonic()
        search.cancel()
        with suppress(asyncio.CancelledError):
            await search
        return time.monotonic() - begun

    assert asyncio.run(cancel()) < 5


def test_leaving_the_iteration_ends_the_search() -> None:
    async def listen() -> float:
        begun = time.monotonic()
        async with aclosing(engine.stream(START, seconds=60)) as reports:
            async for report in reports:
                if report.depth >= 5:
                    break
        return time.monotonic() - begun

    assert asyncio.run(listen()) < 30


def test_an_invalid_limit_is_raised_in_the_waiting_task() -> None:
    with pytest.raises(ValueError, match="depth of at least 1"):
        asyncio.run(engine.analyse_async(START, depth=0))
