"""The dispatcher: reads new events once, encodes each once and passes it to the readers of its topic."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress

from crownhead.server.core.problems import TooMany
from crownhead.server.core.processes.neighbours import subscribe, unsubscribe
from crownhead.server.live.access import ENDED, Grant, topic_of, user_of
from crownhead.server.live.audience import AUDIENCE, ELSEWHERE, STARTED, broadcast_change, broadcast_start
from crownhead.server.live.bus import Bus
from crownhead.server.live.messages import HEARTBEAT, encode_event, encode_retry
from crownhead.server.live.readers import Reader, Write
from crownhead.server.live.selectors import Event
from crownhead.server.live.signs import forget_holders_of

log = logging.getLogger(__name__)

POLL = 1.0  # seconds after which rows written by another process are found at the latest
POLL_SOON = 0.2  # the same shortly after an event, to which a worker may respond
ACTIVE_FOR = 5.0  # seconds that count as shortly after an event
QUIET = 15.0  # seconds between the comments that show that the line is open
_BATCH = 500
_CROWD = 50  # readers from which on an event lets those of others go first
_SLICE = 25  # readers written to before the loop sees to everything else
_BUSY = 0.05  # seconds in which another process makes room for messages
_COUNT = ""  # in place of a topic: how many streams somebody has
_SPOKES = 15  # of the wheel of heartbeats: so many groups of readers get theirs one after another

Read = Callable[[int, int], Awaitable[list[Event]]]  # (after which position, how many at most)


class Hub:
    """The readers of one process and the tasks that feed them."""

    def __init__(self, *, bus: Bus, read: Read, max_streams: int) -> None:
        self.position = 0  # every event up to here has been dispatched
        self.revocations = 0  # how many events that end streams have been dispatched
        self._bus, self._read = bus, read
        self._max_streams = max_streams
        self._streams = 0
        # Opened without a grant, the oldest first, and for whom each counts.
        self._unknown: dict[Reader, Collection[str]] = {}
        self._readers: dict[str, set[Reader]] = {}
        self._open: Counter[str] = Counter()  # streams by caller
        self._closed = False
        self._active_until = 0.0
        self._tasks: list[asyncio.Task[None]] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._untold: set[tuple[str, str]] = set()  # topics and callers that other processes have no word of
        self._some_untold = asyncio.Event()
        self._some_wait = asyncio.Event()
        self._few: deque[Reader] = deque()  # to be written to: those of an event for few, and of one for many
        self._many: deque[Reader] = deque()
        self._wheel: list[set[Reader]] = [set() for _ in range(_SPOKES)]
        self._spoke = 0

    async def start(self, position: int) -> None:
        """Start dispatching the events after `position`."""
        self.position = position
        wakeup = asyncio.Event()
        self._bus.attach(wakeup)
        self._loop = asyncio.get_running_loop()
        subscribe(STARTED)(self._answer_started)
        broadcast_start()
        work = (self._run(wakeup), self._write(), self._beat(), self._tell())
        self._tasks = [asyncio.create_task(it) for it in work]

    async def stop(self) -> None:
        """End every stream and the dispatching."""
        self.close()
        self._bus.detach()
        unsubscribe(STARTED, self._answer_started)
        for task in self._tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    @property
    def is_closed(self) -> bool:
        """Whether the hub has been closed."""
        return self._closed

    @property
    def streams(self) -> int:
        """How many streams are open."""
        return self._streams

    def close(self) -> None:
        """End every stream and accept no new ones."""
        self._closed = True
        for reader in {reader for spoke in self._wheel for reader in spoke}:
            reader.offer(encode_retry(self._streams))  # they are not to come back all at once
            reader.finish()

    @contextmanager
    def reader(
        self,
        *,
        topics: Collection[str],
        callers: Mapping[str, int],
        shares: Mapping[str, int] | None = None,
        grant: Grant | None = None,
        write: Write,
        is_valid: Callable[[], Awaitable[bool]],
    ) -> Iterator[Reader]:
        """A reader of these topics that gets every event after the current `position`, once it has begun.

        `callers`: for whom the stream counts, and how many each may have; the audience counts the first.
        ``shares``: for whom it counts besides, where those without a grant make room for it.
        ``is_valid`` is asked once its ``grant`` is revoked. Raises `TooMany` when one of the callers has, or
        all together have, too many streams; but those without a grant make room, for each other once they
        have half of all, and for those with one.
        """
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("expected to run inside a task")
        shares = shares or {}
        self.expect_room(callers)
        self._make_room(grant, shares)
        counted = (*callers, *shares)
        reader = Reader(topics, task, grant, write=write, is_valid=is_valid)
        self._streams += 1
        if grant is None:
            self._unknown[reader] = counted
        self._open.update(counted)
        for topic in _subscriptions(reader):
            self._readers.setdefault(topic, set()).add(reader)
        spoke = self._wheel[self._spoke]
        spoke.add(reader)
        follower = next(iter(callers))
        AUDIENCE.enter(reader.topics, follower)
        self._broadcast_change(counted, follower, reader.topics)
        try:
            yield reader
        finally:
            spoke.discard(reader)
            AUDIENCE.leave(reader.topics, follower)
            self._remove(reader, counted)
            self._broadcast_change(counted, follower, reader.topics)

    def expect_room(self, callers: Mapping[str, int]) -> None:
        """Raise `TooMany` where a caller has as many streams as it may, or no new ones are accepted."""
        if self._closed:
            raise TooMany("the server has too many open streams", seconds=10)
        for caller, most in callers.items():
            if self._streams_of(caller) >= most:
                raise TooMany(f"you have {most} open streams, which is the limit", seconds=10)

    def _streams_of(self, caller: str) -> int:
        return self._open.get(caller, 0) + ELSEWHERE.streams(caller)

    def _make_room(self, grant: Grant | None, shares: Mapping[str, int]) -> None:
        """End the oldest stream of somebody unknown where the next one needs its place."""
        crowded = next((name for name, most in shares.items() if self._streams_of(name) >= most), None)
        if crowded is not None and self._cut_off_oldest(crowded):
            return
        is_full = self._streams >= self._max_streams
        is_crowded = grant is None and len(self._unknown) >= max(1, self._max_streams // 2)
        if (is_crowded or (is_full and grant is not None)) and self._cut_off_oldest():
            return
        if is_full:
            raise TooMany("the server has too many open streams", seconds=10)

    def _cut_off_oldest(self, caller: str | None = None) -> bool:
        """End the oldest stream of somebody unknown, or of those at a caller; whether there is one."""
        oldest = next((it for it, names in self._unknown.items() if caller is None or caller in names), None)
        if oldest is None:
            return False
        del self._unknown[oldest]
        oldest.cut_off()
        return True

    def _broadcast_change(self, callers: Iterable[str], follower: str, topics: Iterable[str]) -> None:
        """Broadcast to the other processes what has changed."""
        follows = {topic: AUDIENCE.follows(topic, follower) for topic in topics}
        if not broadcast_change({caller: self._open.get(caller, 0) for caller in callers}, follower, follows):
            self._tell_later(callers, ((topic, follower) for topic in topics))

    def _answer_started(self, place: int) -> None:
        """Send a process that has started what this one has; called in the thread of the messages."""
        ELSEWHERE.forget(place)
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(lambda: self._tell_later(self._open, AUDIENCE.everybody()))

    def _tell_later(self, callers: Iterable[str], followed: Iterable[tuple[str, str]]) -> None:
        """Have the other processes told how many streams callers have and who follows what by then."""
        self._untold.update((_COUNT, caller) for caller in callers)
        self._untold.update(followed)
        self._some_untold.set()

    async def _tell(self) -> None:
        """Tell the other processes; where one has no room, again in a moment.

        Always on the loop, with the values of that moment: nothing older follows something newer.
        """
        while True:
            await self._some_untold.wait()
            self._some_untold.clear()
            while self._untold:
                for _ in range(min(_SLICE, len(self._untold))):
                    topic, caller = untold = self._untold.pop()
                    if not self._told(topic, caller):
                        self._untold.add(untold)
                        await asyncio.sleep(_BUSY)
                        break
                await asyncio.sleep(0)

    def _told(self, topic: str, caller: str) -> bool:
        """Whether all had room for what a caller has here, or whether they follow a topic."""
        if topic == _COUNT:
            return broadcast_change({caller: self._open.get(caller, 0)}, caller, {})
        return broadcast_change({}, caller, {topic: AUDIENCE.follows(topic, caller)})

    def _remove(self, reader: Reader, callers: Iterable[str]) -> None:
        self._streams -= 1
        self._unknown.pop(reader, None)
        for caller in callers:
            self._open[caller] -= 1
            if not self._open[caller]:
                del self._open[caller]
        for topic in _subscriptions(reader):
            self._readers[topic].discard(reader)
            if not self._readers[topic]:
                del self._readers[topic]

    # ------------------------------------------------------------------------------------------ reading

    async def _run(self, wakeup: asyncio.Event) -> None:
        while not self._closed:
            # Not `wait_for`: before Python 3.12 that swallows being cancelled in the moment of a wake-up.
            with suppress(TimeoutError):
                async with asyncio.timeout(self._pause()):
                    await wakeup.wait()
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
        while events := await self._read(self.position, _BATCH):
            for event in events:
                self.position = event.id
                self._pass_on(event)
            if len(events) < _BATCH:
                break
        return self.position > before

    def _pass_on(self, event: Event) -> None:
        readers = self._readers.get(event.topic, ())
        if event.kind == ENDED:
            self.revocations += 1
            forget_holders_of(user_of(event.topic))
            readers = {it for it in readers if it.grant and it.grant.is_ended_by(event.payload)}
            for reader in readers:
                reader.revalidate()
        elif readers:
            message = encode_event(event, readers=len(readers))
            for reader in readers:
                reader.offer(message)
        self._enqueue(readers)

    # ------------------------------------------------------------------------------------------ writing

    def _enqueue(self, readers: Collection[Reader]) -> None:
        """Have readers written to soon; the two players of a game do not wait for the crowd of another."""
        queue = self._many if len(readers) > _CROWD else self._few
        for reader in readers:
            if not reader.is_waiting:
                reader.is_waiting = True
                queue.append(reader)
            elif queue is self._few:
                reader.flush()  # it waits with a crowd
        if readers:
            self._some_wait.set()

    async def _write(self) -> None:
        """Write to those who wait, a few at a time."""
        while True:
            await self._some_wait.wait()
            self._some_wait.clear()
            while self._few or self._many:
                for _ in range(_SLICE):
                    if not (queue := self._few or self._many):
                        break
                    reader = queue.popleft()
                    reader.is_waiting = False
                    reader.flush()
                await asyncio.sleep(0)

    async def _beat(self) -> None:
        """Show the readers that their lines are open, a spoke of the wheel after another."""
        while True:
            await asyncio.sleep(QUIET / _SPOKES)
            self._spoke = (self._spoke + 1) % _SPOKES
            spoke = self._wheel[self._spoke]
            for reader in spoke:
                reader.offer(HEARTBEAT)
            self._enqueue(tuple(spoke))


def _subscriptions(reader: Reader) -> tuple[str, ...]:
    """The topics that concern a reader: those it sends, and the one that may end it."""
    return (*reader.topics, *((topic_of(reader.grant.user_id),) if reader.grant else ()))
