"""Searches that run beside an event loop: reports as they come, for asyncio programs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from typing import Any, TypeVar

from crownhead.engine.engine import Engine, Listener, Subject, position_of
from crownhead.engine.report import Report
from crownhead.rules.errors import CrownheadError

_PAUSE = 0.02  # seconds between two calls of stop: a search that has not begun yet ignores the first
_MEGABYTES = 16
_Result = TypeVar("_Result")


async def stream(
    subject: Subject,
    *,
    engine: Engine | None = None,
    seconds: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    lines: int = 1,
    threads: int = 1,
) -> AsyncGenerator[Report, None]:
    """The reports of a search, each better than the last; the last is its result. See ``Engine.analyse``.

    The event loop keeps running. Leaving the iteration, or cancelling its task, ends the search. Without an
    ``engine`` one is made for this search alone.
    """
    own = engine or Engine(position_of(subject).variant, megabytes=_MEGABYTES)

    def run(on_report: Listener) -> Report:
        return own.analyse(
            subject,
            seconds=seconds,
            depth=depth,
            nodes=nodes,
            lines=lines,
            threads=threads,
            on_report=on_report,
        )

    async with aclosing(reports_of(run, own.stop)) as reports:
        async for report in reports:
            yield report


async def analyse_async(
    subject: Subject,
    *,
    engine: Engine | None = None,
    seconds: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    lines: int = 1,
    threads: int = 1,
) -> Report:
    """The result of a search that does not block the event loop; cancelling ends it."""
    last: Report | None = None
    reports = stream(
        subject, engine=engine, seconds=seconds, depth=depth, nodes=nodes, lines=lines, threads=threads
    )
    async for report in reports:
        last = report
    assert last is not None  # the result comes last
    return last


async def reports_of(
    run: Callable[[Listener], Report], stop: Callable[[], None]
) -> AsyncGenerator[Report, None]:
    """The reports that a search passes to its listener, then its result; the search runs in a thread."""
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[Report] = asyncio.Queue()

    def on_report(report: Report) -> None:
        loop.call_soon_threadsafe(queue.put_nowait, report)

    search = loop.run_in_executor(None, run, on_report)
    try:
        while not search.done():
            next_report = asyncio.ensure_future(queue.get())
            try:
                await asyncio.wait({next_report, search}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                if not next_report.done():
                    next_report.cancel()
            if next_report.done() and not next_report.cancelled():
                yield next_report.result()
        yield search.result()
    finally:
        await _stop_and_wait(stop, search)


async def in_thread(run: Callable[[], _Result], stop: Callable[[], None]) -> _Result:
    """The result of a call that waits, made in a thread; cancelling calls ``stop`` and waits for its end."""
    call = asyncio.get_running_loop().run_in_executor(None, run)
    try:
        await asyncio.wait({call})
        return call.result()
    finally:
        await _stop_and_wait(stop, call)


async def _stop_and_wait(stop: Callable[[], None], search: asyncio.Future[Any]) -> None:
    """Stop a search and wait for its end; a second cancellation does not leave it running."""
    while not search.done():
        with suppress(CrownheadError):  # it has ended meanwhile
            stop()
        with suppress(asyncio.CancelledError):
            await asyncio.wait({search}, timeout=_PAUSE)
