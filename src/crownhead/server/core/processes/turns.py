"""Who gets a thread next: households take turns, and one with many requests holds up nobody but itself."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from typing import Any

MAX_WAITING = 1000  # requests in line; then the longest lines lose their last ones, or get no longer
MAX_OF_HOUSEHOLD = 250
_BUSY = "The club is too busy. Try again in a moment."

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]


class LineFull(Exception):
    """No more requests may wait; the message is meant for the client."""


class ClientLeft(Exception):
    """Nobody waits for the answer any more."""


class Turns:
    """So many threads, and the lines before them, one for each household; used on the event loop alone.

    ``most`` may wait in all, and ``most_of_household`` of each.
    """

    def __init__(
        self, threads: int, *, most: int | None = None, most_of_household: int | None = None
    ) -> None:
        self._free = threads
        self._most = MAX_WAITING if most is None else most
        self._most_of_household = MAX_OF_HOUSEHOLD if most_of_household is None else most_of_household
        self._waiting = 0
        # Whose turn is next comes first; before all of them what is of no household.
        self._lines: OrderedDict[str | None, deque[asyncio.Future[None]]] = OrderedDict()
        self._new: set[asyncio.Future[None]] = set()  # of requests of which nothing is answered yet

    def expect_room(self, household: str) -> None:
        """Raise `LineFull` if no more requests of this household may wait.

        Where very many wait, a household may still have one more than others have less: a few of them keep
        nobody else from waiting.
        """
        own = len(self._lines.get(household, ()))
        is_full = self._waiting >= self._most and own + 1 >= max(map(len, self._lines.values()), default=0)
        if own >= self._most_of_household or is_full:
            raise LineFull(_BUSY)

    @asynccontextmanager
    async def turn_of(
        self, household: str | None, *, is_new: bool = False, receive: Receive | None = None
    ) -> AsyncIterator[None]:
        """Wait for a thread, and hold it; what is of no household comes before all others.

        Raises `LineFull` for a new request that has to make room, and `ClientLeft` once its client has left,
        where ``receive`` is to say so: that of a request whose body has come, or does not matter.
        """
        if self._free:
            self._free -= 1
        else:
            await self._wait(household, is_new, receive)
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, household: str | None, is_new: bool, receive: Receive | None) -> None:
        if self._waiting >= self._most:
            self._make_room()
        turn = asyncio.get_running_loop().create_future()
        self._lines.setdefault(household, deque()).append(turn)
        if household is None:
            self._lines.move_to_end(None, last=False)
        if is_new:
            self._new.add(turn)
        self._waiting += 1
        leaving = asyncio.create_task(_end_when_left(turn, receive)) if receive else None
        try:
            await turn
        except (asyncio.CancelledError, ClientLeft):
            if turn.done() and not turn.cancelled() and not turn.exception():  # it came in the same moment
                self._pass_on()
            else:
                self._leave(household, turn)
            raise
        finally:
            if leaving is not None:
                leaving.cancel()
            self._waiting -= 1
            self._new.discard(turn)

    def _leave(self, household: str | None, turn: asyncio.Future[None]) -> None:
        """Leave the line without a turn."""
        line = self._lines.get(household)
        if line is not None and turn in line:
            line.remove(turn)
            if not line:
                del self._lines[household]

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
            household, line = self._lines.popitem(last=False)
            while line and line[0].done():  # who waited has left
                line.popleft()
            if line:
                line.popleft().set_result(None)
                if line:
                    self._lines[household] = line
                    self._lines.move_to_end(household, last=household is not None)
                return
        self._free += 1


async def _end_when_left(turn: asyncio.Future[None], receive: Receive) -> None:
    """Have a request that waits for its turn given up once its client has left."""
    while (await receive())["type"] != "http.disconnect":
        pass
    if not turn.done():
        turn.set_exception(ClientLeft)
