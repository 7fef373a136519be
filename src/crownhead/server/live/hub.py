"""Who listens to what: reads new outbox rows once and hands each to the readers of its topic."""

import asyncio
import logging
from collections import Counter, defaultdict, deque
from collections.abc import Awaitable, Callable, Collection, Iterator
from contextlib import contextmanager, suppress

from crownhead.server.core.problems import TooMany
from crownhead.server.live.audience import AUDIENCE
from crownhead.server.live.bus import Bus
from crownhead.server.live.selectors import Event

log = logging.getLogger(__name__)

QUEUE = 200  # events a reader may lag behind before it is let go
POLL = 1.0  # seconds after which rows written by another process are seen at the latest
POLL_SOON = 0.2  # the same while somebody listens and something has happened, which a worker may answer
LIVELY = 5.0  # seconds for which it has
_BATCH = 500
_PATIENCE = 10.0  # seconds for which an id that was passed over is looked for
_MOST_MISSING = 1000

# (after which id, which earlier ones as well, how many at most)
Read = Callable[[int, Collection[int], int], Awaitable[list[Event]]]


class Reader:
    """One open stream; `queue` holds what it has not been told yet, and None once it is to end."""

    def __init__(self, topics: Collection[str], task: asyncio.Task[object]) -> None:
        self.topics = frozenset(topics)
        self.queue: asyncio.Queue[Event | None] = asyncio.Queue(QUEUE)
        self.too_slow = False
        self._task = task

    def offer(self, event: Event | None) -> None:
        """Queue an event; a reader whose queue is full is let go, wherever it hangs."""
        try:
            self.queue.put_nowait(event)
        except asyncio.QueueFull:
            self.too_slow = True
            self._task.cancel()


class Hub:
    """The readers of one process and the task that feeds them."""

    def __init__(self, *, bus: Bus, read: Read, most: int, most_of_one: int) -> None:
        self.place = 0  # every event up to here has been handed out
        self._bus, self._read = bus, read
        self._most, self._most_of_one = most, most_of_one
        self._readers: dict[str, set[Reader]] = defaultdict(set)
        self._open: Counter[str] = Counter()  # streams by caller
        self._closed = False
        self._lively_until = 0.0
        self._task: asyncio.Task[None] | None = None
        # Ids that were skipped, and until when they may still come: where writers work side by side, one that
        # took its id earlier may commit later.
        self._missing: dict[int, float] = {}
        self.told_late: deque[int] = deque(maxlen=_MOST_MISSING)  # those that came after all

    async def start(self, place: int) -> None:
        """Begin to hand out what comes after `place`."""
        self.place = place
        bell = asyncio.Event()
        self._bus.attach(bell)
        self._task = asyncio.create_task(self._feed(bell))

    async def stop(self) -> None:
        """End every stream and the feeding."""
        self.close()
        self._bus.detach()
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    @property
    def is_closed(self) -> bool:
        """It ends, and with it all streams."""
        return self._closed

    def close(self) -> None:
        """End every stream; new ones are not taken."""
        self._closed = True
        for reader in {reader for readers in self._readers.values() for reader in readers}:
            reader.offer(None)

    @contextmanager
    def reader(self, *, topics: Collection[str], caller: str) -> Iterator[Reader]:
        """A reader of these topics, fed with everything after `place` as it stands on entry.

        Raises `TooMany` when the caller, or everybody together, has as many streams as there may be.
        """
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("expected to run inside a task")
        if self._closed or self._open.total() >= self._most:
            raise TooMany("no more streams are taken here for now", seconds=10)
        if self._open[caller] >= self._most_of_one:
            raise TooMany(f"expected at most {self._most_of_one} streams of one caller", seconds=10)
        reader = Reader(topics, task)
        self._open[caller] += 1
        for topic in reader.topics:
            self._readers[topic].add(reader)
        AUDIENCE.enter(reader.topics, caller)
        try:
            yield reader
        finally:
            self._forget(reader, caller)

    def _forget(self, reader: Reader, caller: str) -> None:
        AUDIENCE.leave(reader.topics, caller)
        self._open[caller] -= 1
        if not self._open[caller]:
            del self._open[caller]
        for topic in reader.topics:
            self._readers[topic].discard(reader)
            if not self._readers[topic]:
                del self._readers[topic]

    async def _feed(self, bell: asyncio.Event) -> None:
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(bell.wait(), self._pause())
            rung = bell.is_set()
            bell.clear()
            try:
                if await self._hand_out() or rung:
                    self._lively_until = asyncio.get_running_loop().time() + LIVELY
            except Exception:
                log.exception("the event stream could not read the outbox")
                await asyncio.sleep(POLL)

    def _pause(self) -> float:
        lively = self._readers and asyncio.get_running_loop().time() < self._lively_until
        return min(POLL, POLL_SOON) if lively else POLL

    async def _hand_out(self) -> bool:
        """Tell what is new; whether anything is."""
        before = self.place
        now = asyncio.get_running_loop().time()
        self._missing = {id_: until for id_, until in self._missing.items() if until > now}
        while events := await self._read(self.place, tuple(self._missing), _BATCH):
            for event in events:
                self._note(event.id, now)
                for reader in tuple(self._readers.get(event.topic, ())):
                    reader.offer(event)
            if len(events) < _BATCH:
                break
        return self.place > before

    def _note(self, id_: int, now: float) -> None:
        """An event is told; what lies between it and the ones before is still missing."""
        if self._missing.pop(id_, None) is not None:
            self.told_late.append(id_)
        if id_ > self.place:
            first = max(self.place + 1, id_ - _MOST_MISSING)
            self._missing |= dict.fromkeys(range(first, id_), now + _PATIENCE)
            self.place = id_
