"""Who gets a thread next: households take turns, and one with many requests holds up nobody but itself."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

MAX_WAITING = 1000  # requests in line before new ones are turned away
MAX_OF_HOUSEHOLD = 250


class LineFull(Exception):
    """No more requests may wait; the message is meant for the client."""


class Turns:
    """So many threads, and the lines before them, one for each household; used on the event loop alone."""

    def __init__(self, threads: int) -> None:
        self._free = threads
        self._waiting = 0
        self._lines: dict[str, deque[asyncio.Future[None]]] = {}  # whose turn is next comes first

    def expect_room(self, household: str) -> None:
        """Raise `LineFull` if no more requests of this household, or of anybody, may wait."""
        if self._waiting >= MAX_WAITING or len(self._lines.get(household, ())) >= MAX_OF_HOUSEHOLD:
            raise LineFull("The club is too busy. Try again in a moment.")

    @asynccontextmanager
    async def turn_of(self, household: str) -> AsyncIterator[None]:
        """Wait for a thread, and hold it."""
        if self._free:
            self._free -= 1
        else:
            await self._wait(household)
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, household: str) -> None:
        turn = asyncio.get_running_loop().create_future()
        self._lines.setdefault(household, deque()).append(turn)
        self._waiting += 1
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # it came in the same moment
                self._pass_on()
            raise
        finally:
            self._waiting -= 1

    def _pass_on(self) -> None:
        while self._lines:
            household = next(iter(self._lines))
            line = self._lines.pop(household)
            while line and line[0].done():  # who waited has left
                line.popleft()
            if line:
                line.popleft().set_result(None)
                if line:
                    self._lines[household] = line
                return
        self._free += 1
