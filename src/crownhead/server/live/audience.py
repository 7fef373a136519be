"""Counts who follows a topic, by the open streams of the processes on this machine.

Other machines are not counted: with several of them a number means "at least so many".
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from threading import Lock

from crownhead.server.live.elsewhere import ELSEWHERE


class Audience:
    """Callers by topic; changed on the event loop and read from the threads that render pages."""

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


AUDIENCE = Audience()


def watchers(game_id: str, *, players: Collection[int]) -> int:
    """How many people other than its players follow a game."""
    return AUDIENCE.count(f"game:{game_id}", excluding={f"user {user_id}" for user_id in players})
