"""Whose bytes are looked at next: households take turns at the event loop, as they do at the threads."""

import asyncio
from collections import deque
from collections.abc import Callable
from weakref import WeakKeyDictionary

AT_ONCE = 8  # connections at whose bytes the loop looks before it does anything else

Work = Callable[[], None]


class LoopTurns:
    """The lines of those who wait, one for each household; used on one event loop alone."""

    def __init__(self) -> None:
        self._left, self._is_counting = AT_ONCE, False
        self._lines: dict[str, deque[Work]] = {}  # whose turn is next comes first

    def take(self, household: str, work: Work) -> None:
        """Do something at once, if nobody waits and the loop has not done as much of it already; or later."""
        if self._left and not self._lines:
            self._do(work)
        else:
            self._lines.setdefault(household, deque()).append(work)

    def _do(self, work: Work) -> None:
        self._left -= 1
        if not self._is_counting:
            self._is_counting = True
            asyncio.get_running_loop().call_soon(self._go_on)
        work()

    def _go_on(self) -> None:
        """Do what waits, now that the loop has done what else there was."""
        self._left, self._is_counting = AT_ONCE, False
        while self._left and self._lines:
            household = next(iter(self._lines))
            line = self._lines.pop(household)
            work = line.popleft()
            if line:
                self._lines[household] = line
            self._do(work)


_of_loops: WeakKeyDictionary[asyncio.AbstractEventLoop, LoopTurns] = WeakKeyDictionary()


def turns_of(loop: asyncio.AbstractEventLoop) -> LoopTurns:
    """The lines before a loop."""
    if loop not in _of_loops:
        _of_loops[loop] = LoopTurns()
    return _of_loops[loop]
