"""Who gets a thread next: households take turns, and one with many requests holds up nobody but itself."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

MAX_WAITING = 1000  # requests in line; then the longest lines lose their last ones, or get no longer
MAX_OF_HOUSEHOLD = 250
_BUSY = "The club is too busy. Try again in a moment."


class LineFull(Exception):
    """No more requests may wait; the message is meant for the client."""


class Turns:
    """So many threads, and the lines before them, one for each household; used on the event loop alone."""

    def __init__(self, threads: int) -> None:
        self._free = threads
        self._waiting = 0
        self._lines: dict[str, deque[asyncio.Future[None]]] = {}  # whose turn is next comes first
        self._new: set[asyncio.Future[None]] = set()  # of requests of which nothing is answered yet

    def expect_room(self, household: str) -> None:
        """Raise `LineFull` if no more requests of this household may wait.

        Where very many wait, a household may still have one more than others have less: a few of them keep
        nobody else from waiting.
        """
        own = len(self._lines.get(household, ()))
        is_full = self._waiting >= MAX_WAITING and own + 1 >= max(map(len, self._lines.values()), default=0)
        if own >= MAX_OF_HOUSEHOLD or is_full:
            raise LineFull(_BUSY)

    @asynccontextmanager
    async def turn_of(self, household: str, *, is_new: bool = False) -> AsyncIterator[None]:
        """Wait for a thread, and hold it; raises `LineFull` for a new request that has to make room."""
        if self._free:
            self._free -= 1
        else:
            await self._wait(household, is_new)
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, household: str, is_new: bool) -> None:
        if self._waiting >= MAX_WAITING:
            self._make_room()
        turn = asyncio.get_running_loop().create_future()
        self._lines.setdefault(household, deque()).append(turn)
        if is_new:
            self._new.add(turn)
        self._waiting += 1
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled() and not turn.exception():  # it came in the same moment
                self._pass_on()
            raise
        finally:
            self._waiting -= 1
            self._new.discard(turn)

    def _make_room(self) -> None:
        """Turn away the last new request of the longest line."""
        longest = max(self._lines.values(), key=len, default=deque())
        for turn in reversed(longest):
            if turn in self._new and not turn.done():
                turn.set_exception(LineFull(_BUSY))
                longest.remove(turn)
                return

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
