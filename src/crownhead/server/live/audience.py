"""Counts who follows a topic, by the open streams of the processes on this machine.

Other machines are not counted: with several of them a number means "at least so many".

A process broadcasts how many streams a caller has with it whenever that changes, as a number and not as a
difference, so the next message mends one that was lost. A process that starts asks the others for all. What
one of them had no room for is sent again by the hub, as it is by then.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterable, Mapping
from threading import Lock
from time import monotonic

from crownhead.server.core.processes.neighbours import broadcast, own_place, subscribe

CHANGED, STARTED = "streams", "streams begin"
# Seconds for which a process that ends may still have looked whether a follower comes back, or whether one
# who did so without a stream is still there: see `LEFT_AFTER`, `LOOK_EVERY` and `SILENT_AFTER`.
LATELY = 60.0


class Audience:
    """Callers by topic in this process; changed on the event loop, read from the threads of pages."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._streams: dict[str, Counter[str]] = defaultdict(Counter)

    def enter(self, topics: Iterable[str], caller: str) -> None:
        """The caller opened a stream of these topics."""
        with self._lock:
            for topic in topics:
                self._streams[topic][caller] += 1

    def leave(self, topics: Iterable[str], caller: str) -> None:
        """A stream of the caller has ended."""
        with self._lock:
            for topic in topics:
                callers = self._streams[topic]
                callers[caller] -= 1
                if not callers[caller]:
                    del callers[caller]
                if not callers:
                    del self._streams[topic]

    def count(self, topic: str, *, excluding: Collection[str] = ()) -> int:
        """How many callers follow a topic, each counted once and the excluded ones not at all."""
        with self._lock:
            here = set(self._streams.get(topic, ()))
        return len((here | ELSEWHERE.followers(topic)).difference(excluding))

    def follows(self, topic: str, caller: str) -> bool:
        """Whether a caller follows a topic by this process."""
        with self._lock:
            return caller in self._streams.get(topic, ())

    def everybody(self) -> list[tuple[str, str]]:
        """All topics that are followed by this process, each with each of its callers."""
        with self._lock:
            return [(topic, caller) for topic, callers in self._streams.items() for caller in callers]


class Elsewhere:
    """By the place of another process: the streams of each caller, and the followers of each topic."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._streams: dict[int, dict[str, int]] = {}
        self._followers: dict[int, dict[str, set[str]]] = {}
        self._left: dict[int, deque[tuple[float, str]]] = {}  # topics that lately lost their last follower

    def forget(self, place: int) -> set[str]:
        """The process there has none: it has ended, or has just begun.

        Returns what was followed there, or had been until lately.
        """
        since = monotonic() - LATELY
        with self._lock:
            self._streams.pop(place, None)
            left = {topic for at, topic in self._left.pop(place, ()) if at > since}
            return left.union(self._followers.pop(place, ()))

    def note(self, place: int, streams: Mapping[str, int], follower: str, topics: Mapping[str, bool]) -> None:
        """So many streams do callers have there, and these topics does one of them follow or not."""
        now = monotonic()
        with self._lock:
            left = self._left.setdefault(place, deque())
            while left and left[0][0] <= now - LATELY:
                left.popleft()
            known = self._streams.setdefault(place, {})
            for caller, count in streams.items():
                if count:
                    known[caller] = count
                else:
                    known.pop(caller, None)
            followed = self._followers.setdefault(place, {})
            for topic, follows in topics.items():
                if follows:
                    followed.setdefault(topic, set()).add(follower)
                elif topic in followed:
                    followed[topic].discard(follower)
                    if not followed[topic]:
                        del followed[topic]
                        left.append((now, topic))

    def streams(self, caller: str) -> int:
        """How many streams a caller has with other processes."""
        with self._lock:
            return sum(known.get(caller, 0) for known in self._streams.values())

    def followers(self, topic: str) -> set[str]:
        """Who follows a topic by other processes."""
        with self._lock:
            return set().union(*(followed.get(topic, ()) for followed in self._followers.values()))


AUDIENCE = Audience()
ELSEWHERE = Elsewhere()

subscribe(CHANGED)(ELSEWHERE.note)


def broadcast_change(streams: Mapping[str, int], follower: str, topics: Mapping[str, bool]) -> bool:
    """Broadcast to the other processes what callers have with this one; whether all had room for it."""
    return broadcast(
        CHANGED,
        place=own_place(),
        streams=dict(streams),
        follower=follower,
        topics=dict(topics),
    )


def broadcast_start() -> None:
    """Announce to the other processes that this one has no streams, and wants to know theirs."""
    broadcast(STARTED, place=own_place())
