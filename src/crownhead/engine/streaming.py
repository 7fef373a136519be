"""Searches that run beside an event loop: reports as they come, for asyncio programs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress

from crownhead.engine.engine import Engine, Subject
from crownhead.engine.report import Report

_PAUSE = 0.02  # seconds between two calls of stop: a search that has not begun yet ignores the first
_MEGABYTES = 16


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
    own = engine or Engine(subject.variant, megabytes=_MEGABYTES)
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[Report] = asyncio.Queue()

    def tell(report: Report) -> None:
        loop.call_soon_threadsafe(queue.put_nowait, report)

    search = loop.run_in_executor(
        None,
        lambda: own.analyse(
            subject,
            seconds=seconds,
            depth=depth,
            nodes=nodes,
            lines=lines,
            threads=threads,
            tell=tell,
        ),
    )
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
        await _stop_and_wait(own, search)


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


async def _stop_and_wait(engine: Engine, search: asyncio.Future[Report]) -> None:
    """Stop a search and wait for its end; a second cancellation does not leave it running."""
    while not search.done():
        engine.stop()
        with suppress(asyncio.CancelledError):
            await asyncio.wait({search}, timeout=_PAUSE)
