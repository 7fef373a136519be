"""The streams that the other processes on this machine have open: so that limits and watchers count them all.

A process says how many streams a caller has with it whenever that changes, as a number and not as a
difference, so the next message mends one that was lost. A process that begins asks the others for everything.
"""

from __future__ import annotations

from collections.abc import Mapping
from threading import Lock

from crownhead.server.core.processes.neighbours import hears, own_place, tell

CHANGED, BEGUN = "streams", "streams begin"


class Elsewhere:
    """By the place of a process: the streams of each caller, and the followers of each topic."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._streams: dict[int, dict[str, int]] = {}
        self._followers: dict[int, dict[str, set[str]]] = {}

    def forget(self, place: int) -> None:
        """The process there has none: it has just begun."""
        with self._lock:
            self._streams.pop(place, None)
            self._followers.pop(place, None)

    def note(self, place: int, streams: Mapping[str, int], follower: str, topics: Mapping[str, bool]) -> None:
        """So many streams do callers have there, and these topics does one of them follow or not."""
        with self._lock:
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

    def streams(self, caller: str) -> int:
        """How many streams a caller has with other processes."""
        with self._lock:
            return sum(known.get(caller, 0) for known in self._streams.values())

    def followers(self, topic: str) -> set[str]:
        """Who follows a topic by other processes."""
        with self._lock:
            return set().union(*(followed.get(topic, ()) for followed in self._followers.values()))


ELSEWHERE = Elsewhere()

hears(CHANGED)(ELSEWHERE.note)


def tell_change(
    streams: Mapping[str, int], follower: str, topics: Mapping[str, bool], *, patiently: bool = False
) -> None:
    """Tell the other processes what callers have with this one."""
    tell(
        CHANGED,
        patiently,
        place=own_place(),
        streams=dict(streams),
        follower=follower,
        topics=dict(topics),
    )


def tell_begin() -> None:
    """Tell the other processes that this one has no streams, and wants to know theirs."""
    tell(BEGUN, place=own_place())
