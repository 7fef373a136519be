"""The dispatcher: reads new outbox rows once and passes each to the readers of its topic."""

import asyncio
import logging
from collections import Counter, defaultdict, deque
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress

from crownhead.server.core.problems import TooMany
from crownhead.server.live.audience import AUDIENCE
from crownhead.server.live.bus import Bus
from crownhead.server.live.grants import ENDED, Grant, topic_of
from crownhead.server.live.selectors import Event

log = logging.getLogger(__name__)

QUEUE = 200  # events a reader may lag behind before it is disconnected
POLL = 1.0  # seconds after which rows written by another process are found at the latest
POLL_SOON = 0.2  # the same shortly after an event, to which a worker may respond
ACTIVE_FOR = 5.0  # seconds that count as shortly after an event
_BATCH = 500
_GAP_TIMEOUT = 10.0  # seconds for which a skipped id may still appear
_MAX_GAPS = 1000

# (after which id, which earlier ids as well, how many at most)
Read = Callable[[int, Collection[int], int], Awaitable[list[Event]]]


class Reader:
    """One open stream; `queue` holds the events not sent yet, and None when the stream should end."""

    def __init__(self, topics: Collection[str], task: asyncio.Task[object], grant: Grant | None) -> None:
        self.topics = frozenset(topics)
        self.grant = grant
        self.queue: asyncio.Queue[Event | None] = asyncio.Queue(QUEUE)
        self.too_slow = self.in_doubt = False
        self._task = task

    def offer(self, event: Event | None) -> None:
        """Queue an event; a reader whose queue is full is cancelled."""
        try:
            self.queue.put_nowait(event)
        except asyncio.QueueFull:
            self.too_slow = True
            self._task.cancel()

    def doubt(self, event: Event) -> None:
        """Have the stream look its grant up again before it sends anything more, and end if it is gone."""
        self.in_doubt = True
        self.offer(event)


class Hub:
    """The readers of one process and the task that feeds them."""

    def __init__(self, *, bus: Bus, read: Read, max_streams: int) -> None:
        self.position = 0  # every event up to here has been dispatched
        self.revocations = 0  # how many events that end streams have been dispatched
        self._bus, self._read = bus, read
        self._max_streams = max_streams
        self._streams = 0
        self._readers: dict[str, set[Reader]] = defaultdict(set)
        self._open: Counter[str] = Counter()  # streams by caller
        self._closed = False
        self._active_until = 0.0
        self._task: asyncio.Task[None] | None = None
        # Skipped ids, and until when they may still appear: of two concurrent writers, the one with the lower
        # id may commit later.
        self._gaps: dict[int, float] = {}
        self.late_ids: deque[int] = deque(maxlen=_MAX_GAPS)  # skipped ids that did appear

    async def start(self, position: int) -> None:
        """Start dispatching the events after `position`."""
        self.position = position
        wakeup = asyncio.Event()
        self._bus.attach(wakeup)
        self._task = asyncio.create_task(self._run(wakeup))

    async def stop(self) -> None:
        """End every stream and the dispatching."""
        self.close()
        self._bus.detach()
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    @property
    def is_closed(self) -> bool:
        """Whether the hub has been closed."""
        return self._closed

    def close(self) -> None:
        """End every stream and accept no new ones."""
        self._closed = True
        for reader in {reader for readers in self._readers.values() for reader in readers}:
            reader.offer(None)

    @contextmanager
    def reader(
        self, *, topics: Collection[str], callers: Mapping[str, int], grant: Grant | None = None
    ) -> Iterator[Reader]:
        """A reader of these topics that gets every event after the current `position`.

        `callers`: for whom the stream counts, and how many each may have; the audience counts the first.
        It ends when its ``grant`` is revoked. Raises `TooMany` when one of the callers has, or all together
        have, too many streams.
        """
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("expected to run inside a task")
        if self._closed or self._streams >= self._max_streams:
            raise TooMany("the server has too many open streams", seconds=10)
        for caller, most in callers.items():
            if self._open[caller] >= most:
                raise TooMany(f"you have {most} open streams, which is the limit", seconds=10)
        reader = Reader(topics, task, grant)
        self._streams += 1
        self._open.update(callers.keys())
        for topic in _heard(reader):
            self._readers[topic].add(reader)
        follower = next(iter(callers))
        AUDIENCE.enter(reader.topics, follower)
        try:
            yield reader
        finally:
            AUDIENCE.leave(reader.topics, follower)
            self._remove(reader, callers)

    def _remove(self, reader: Reader, callers: Iterable[str]) -> None:
        self._streams -= 1
        for caller in callers:
            self._open[caller] -= 1
            if not self._open[caller]:
                del self._open[caller]
        for topic in _heard(reader):
            self._readers[topic].discard(reader)
            if not self._readers[topic]:
                del self._readers[topic]

    async def _run(self, wakeup: asyncio.Event) -> None:
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(wakeup.wait(), self._pause())
            woken = wakeup.is_set()
            wakeup.clear()
            try:
                if await self._dispatch() or woken:
                    self._active_until = asyncio.get_running_loop().time() + ACTIVE_FOR
            except Exception:
                log.exception("could not read the outbox")
                await asyncio.sleep(POLL)

    def _pause(self) -> float:
        active = self._readers and asyncio.get_running_loop().time() < self._active_until
        return min(POLL, POLL_SOON) if active else POLL

    async def _dispatch(self) -> bool:
        """Dispatch new events; whether there were any."""
        before = self.position
        now = asyncio.get_running_loop().time()
        self._gaps = {id_: until for id_, until in self._gaps.items() if until > now}
        while events := await self._read(self.position, tuple(self._gaps), _BATCH):
            for event in events:
                self._advance(event.id, now)
                self._pass_on(event)
            if len(events) < _BATCH:
                break
        return self.position > before

    def _pass_on(self, event: Event) -> None:
        self.revocations += event.kind == ENDED
        for reader in tuple(self._readers.get(event.topic, ())):
            if event.kind != ENDED:
                reader.offer(event)
            elif reader.grant is not None and reader.grant.is_ended_by(event.payload):
                reader.doubt(event)

    def _advance(self, id_: int, now: float) -> None:
        """Move the position to a dispatched event, and note the ids in between as gaps."""
        if self._gaps.pop(id_, None) is not None:
            self.late_ids.append(id_)
        if id_ > self.position:
            first = max(self.position + 1, id_ - _MAX_GAPS)
            self._gaps |= dict.fromkeys(range(first, id_), now + _GAP_TIMEOUT)
            self.position = id_


def _heard(reader: Reader) -> frozenset[str]:
    """The topics that concern a reader: those it sends, and the one that may end it."""
    return reader.topics | ({topic_of(reader.grant.user_id)} if reader.grant else set())
