"""Engines outside this process behind one small interface: started here, or reached over the network."""

from __future__ import annotations

import asyncio
import re
import shlex
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager
from functools import partial
from os import fspath
from typing import ParamSpec

from crownhead.engine.analyst import RemoteEngine
from crownhead.engine.dxp.client import DxpEngine
from crownhead.engine.engine import Listener, Subject
from crownhead.engine.hub.client import HubEngine
from crownhead.engine.report import Report
from crownhead.engine.streaming import in_thread, reports_of
from crownhead.rules import Move
from crownhead.rules.errors import CrownheadError
from crownhead.rules.schema import Variant

Parameters = ParamSpec("Parameters")

_PLACE = re.compile(r"(?:dxp://)?(?P<host>\[[^\]\s]+\]|[A-Za-z0-9._-]+):(?P<port>[0-9]{1,5})")
_PATIENCE = 30.0  # seconds in which a program must answer while it does not think


def connect(
    program: str | Sequence[str],
    variant: str | Variant = "american",
    *,
    called: str = "",
    parameters: Mapping[str, str] | None = None,
    minutes: int = 5,
    patience: float = _PATIENCE,
) -> RemoteEngine:
    """Start an engine, or connect to one, and return it ready for use.

    ``program`` is a command line, as text or as a list, of an engine with the Hub protocol (``"scan hub"``);
    or ``host:port`` of a program with DamExchange, which plays but does not analyse. ``called`` is the Hub
    engine's name of the variant where that is not our key, and ``parameters`` are its own settings;
    ``minutes`` is what a DamExchange program has for a game. The engine is ended by ``close``, or by the end
    of a ``with`` block. Raises ``HubError`` or ``DxpError``, both ``CrownheadError``s, where it does not
    start, is not there, or does not speak the protocol within ``patience`` seconds.
    """
    place = _PLACE.fullmatch(program) if isinstance(program, str) else None
    if place is not None:
        host = place["host"].strip("[]")
        return DxpEngine(host, int(place["port"]), variant, minutes=minutes, patience=patience)
    command = _words(program)
    return HubEngine(command, variant, called=called, parameters=parameters, patience=patience)


class AsyncEngine:
    """An engine outside this process for asyncio programs; ``connect_async`` makes it. One search at a time.

    Cancelling the task of a search ends the search.
    """

    def __init__(self, engine: RemoteEngine) -> None:
        self._engine = engine
        self.variant = engine.variant

    @property
    def name(self) -> str:
        """What it calls itself; empty while that is not known."""
        return self._engine.name

    async def analyse(
        self,
        subject: Subject,
        *,
        seconds: float | None = None,
        depth: int | None = None,
        nodes: int | None = None,
    ) -> Report:
        """The result of its search; see ``Engine.analyse``."""
        search = partial(self._engine.analyse, subject, seconds=seconds, depth=depth, nodes=nodes)
        return await in_thread(search, self._engine.stop)

    async def stream(
        self,
        subject: Subject,
        *,
        seconds: float | None = None,
        depth: int | None = None,
        nodes: int | None = None,
    ) -> AsyncGenerator[Report, None]:
        """Its reports as they come, the last being the result; see ``engine.stream``."""

        def run(on_report: Listener) -> Report:
            return self._engine.analyse(
                subject, seconds=seconds, depth=depth, nodes=nodes, on_report=on_report
            )

        async with aclosing(reports_of(run, self._engine.stop)) as reports:
            async for report in reports:
                yield report

    async def play(self, subject: Subject, *, seconds: float | None = None, depth: int | None = None) -> Move:
        """The move that it plays."""
        return await in_thread(
            partial(self._engine.play, subject, seconds=seconds, depth=depth), self._engine.stop
        )

    def stop(self) -> None:
        """Stop a search that runs in another task; it returns what it has found."""
        self._engine.stop()


def _without_blocking(
    start: Callable[Parameters, RemoteEngine],
) -> Callable[Parameters, AbstractAsyncContextManager[AsyncEngine]]:
    @asynccontextmanager
    async def connect_async(
        *args: Parameters.args, **kwargs: Parameters.kwargs
    ) -> AsyncIterator[AsyncEngine]:
        """An engine for the time of an ``async with`` block, without blocking the event loop.

        It takes what ``connect`` takes.
        """
        engine = await asyncio.to_thread(start, *args, **kwargs)
        try:
            yield AsyncEngine(engine)
        finally:
            await asyncio.to_thread(engine.close)

    return connect_async


connect_async = _without_blocking(connect)


def _words(program: str | Sequence[str]) -> list[str]:
    """The words of a command line; raises ``CrownheadError``."""
    try:
        words = shlex.split(program) if isinstance(program, str) else [fspath(word) for word in program]
    except ValueError as error:
        raise CrownheadError(f"expected a command line, got {program!r:.60}: {error}") from error
    except TypeError as error:  # a number, None
        raise CrownheadError(f"expected a command line or host:port, got {program!r:.60}") from error
    if not words:
        raise CrownheadError(f"expected a command line or host:port, got {program!r:.60}")
    return words
