"""The door of the event stream: what requests ask for is looked up one by one, and households take turns."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import close_old_connections

from crownhead.server.core.problems import TooMany
from crownhead.server.core.processes.turns import LineFull, Receive, Turns

T = TypeVar("T")

_AGAIN = 10  # seconds after which somebody who is turned away may try again


class Door:
    """A thread that looks up, and the lines before it; ``most`` may wait, ``most_of_household`` of each.

    Who comes in asks for other things than who is in waits for, and may be one of many.
    """

    def __init__(self, *, most: int, most_of_household: int) -> None:
        self._thread = ThreadPoolExecutor(1, "stream door")
        self._turns = Turns(1, most=most, most_of_household=most_of_household)
        self._is_closed = False

    async def close(self) -> None:
        """End the thread, once it has done what it is at; the line is told to come again."""
        self._is_closed = True
        await query_in(self._thread, lambda: None)
        self._thread.shutdown(wait=False)

    def is_crowded(self, household: str) -> bool:
        """Whether no further request of a household may wait."""
        try:
            self._turns.expect_room(household)
        except LineFull:
            return True
        return False

    async def admit(self, query: Callable[[], T], *, household: str, receive: Receive) -> T:
        """Look up what a new request asks for, unless its client leaves before: `ClientLeft`.

        Raises `TooMany` where too many wait already.
        """
        try:
            self._turns.expect_room(household)
            async with self._turns.turn_of(household, is_new=True, receive=receive):
                return await self._look_up(query)
        except LineFull as full:
            raise TooMany(str(full), seconds=_AGAIN) from full

    async def ask(
        self, query: Callable[[], T], *, household: str | None, receive: Receive | None = None
    ) -> T:
        """Look up something for who is in; of no household: before all who wait.

        ``receive``: of a client for whom nothing is looked up once it has left, `ClientLeft`.
        """
        async with self._turns.turn_of(household, receive=receive):
            return await self._look_up(query)

    async def _look_up(self, query: Callable[[], T]) -> T:
        if self._is_closed:
            raise TooMany("the server is about to stop", seconds=_AGAIN)
        return await query_in(self._thread, query)


async def query_in(thread: ThreadPoolExecutor, query: Callable[[], T]) -> T:
    """Query the database in a thread of the streams."""
    return await asyncio.get_running_loop().run_in_executor(thread, _with_fresh_connection, query)


def call_in(thread: ThreadPoolExecutor, work: Callable[[], None]) -> None:
    """Have a thread do something with the database in its turn; nobody waits for it."""
    thread.submit(_with_borrowed_connection, work)


def _with_fresh_connection(query: Callable[[], T]) -> T:
    close_old_connections()
    return query()


def _with_borrowed_connection(work: Callable[[], None]) -> None:
    """With a connection that others get in between: the next call may come much later."""
    try:
        _with_fresh_connection(work)
    finally:
        close_old_connections()
