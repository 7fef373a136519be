"""Thinking beside other work: reports as they come, for programs that run on an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress

from crownhead.engine.report import Report
from crownhead.engine.thinking import Engine, Subject

_PAUSE = 0.02  # seconds between two words to stop: a search that has not begun does not hear the first
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

    The loop goes on meanwhile. Leaving the iteration, or cancelling its task, ends the search. Without an
    ``engine`` one is made for this search alone.
    """
    own = engine or Engine(subject.variant.key, megabytes=_MEGABYTES)
    loop = asyncio.get_running_loop()
    told: asyncio.Queue[Report] = asyncio.Queue()

    def tell(report: Report) -> None:
        loop.call_soon_threadsafe(told.put_nowait, report)

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
            heard = asyncio.ensure_future(told.get())
            try:
                await asyncio.wait({heard, search}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                if not heard.done():
                    heard.cancel()
            if heard.done() and not heard.cancelled():
                yield heard.result()
        yield search.result()
    finally:
        await _ended(own, search)


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
    """What can be expected of a position, without holding up the loop; cancelling ends the search."""
    last: Report | None = None
    reports = stream(
        subject, engine=engine, seconds=seconds, depth=depth, nodes=nodes, lines=lines, threads=threads
    )
    async for report in reports:
        last = report
    assert last is not None  # the result comes last
    return last


async def _ended(engine: Engine, search: asyncio.Future[Report]) -> None:
    """Wait for the end of a search, which is told to stop; a second cancelling does not leave it running."""
    while not search.done():
        engine.stop()
        with suppress(asyncio.CancelledError):
            await asyncio.wait({search}, timeout=_PAUSE)
