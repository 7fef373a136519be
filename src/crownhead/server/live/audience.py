"""Who follows a topic at this moment, by the streams that this process has open.

Where several processes serve a club each knows of its own streams alone, so a number is "at least so many".
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from threading import Lock


class Audience:
    """Callers by topic; streams come and go on the event loop while threads that make pages ask."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._streams: dict[str, Counter[str]] = defaultdict(Counter)

    def enter(self, topics: Iterable[str], caller: str) -> None:
        """A stream of the caller's follows these topics."""
        with self._lock:
            for topic in topics:
                self._streams[topic][caller] += 1

    def leave(self, topics: Iterable[str], caller: str) -> None:
        """One of his streams has ended."""
        with self._lock:
            for topic in topics:
                here = self._streams[topic]
                here[caller] -= 1
                if not here[caller]:
                    del here[caller]
                if not here:
                    del self._streams[topic]

    def count(self, topic: str, *, without: Collection[str] = ()) -> int:
        """How many callers follow a topic, however many streams each has open, but for some."""
        with self._lock:
            return sum(caller not in without for caller in self._streams.get(topic, ()))


AUDIENCE = Audience()


def watchers(game_id: str, *, players: Collection[int]) -> int:
    """How many people besides its players follow a game."""
    return AUDIENCE.count(f"game:{game_id}", without={f"user {user_id}" for user_id in players})
