"""Which hours of vacation are used as times run out: reckoned of the turns that are due, nothing stored."""

from __future__ import annotations

import heapq
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from crownhead.server.play.clocks import time_control
from crownhead.server.play.clocks.time_control import HOUR, Turn


@dataclass(frozen=True, slots=True)
class Hours:
    """The moments at which hours are used, in order; ``lost``: how many had been by the end of lost games."""

    moments: Sequence[datetime]
    lost: Mapping[int, int]

    def of(self, pk: int, since: datetime) -> int:
        """How many of them lengthen a game whose turn began at ``since``."""
        return max(self.lost.get(pk, len(self.moments)) - bisect_left(self.moments, since), 0)


def needed(turns: Mapping[int, Turn], now: datetime, left_of: Callable[[int], int]) -> Hours:
    """The hours used by ``now`` in these turns, by game; ``left_of`` tells how many a year has.

    An hour moves every deadline by an hour at least, so that after it a deadline is worked out only when it
    may be the next one.
    """
    moments: list[datetime] = []
    lost: dict[int, int] = {}
    left: dict[int, int] = {}
    later = sorted(turns, key=lambda pk: turns[pk].since, reverse=True)  # those that have not begun yet
    running: list[tuple[datetime, int]] = []  # no deadline before this moment and all hours used
    while later or running:
        used = len(moments) * HOUR
        moment = running[0][0] + used if running else None
        if later and (moment is None or turns[later[-1]].since <= moment):
            pk = later.pop()
            heapq.heappush(running, (time_control.deadline(turns[pk]) - used, pk))
            continue
        if moment is None or moment > now:
            break
        pk = running[0][1]
        hours = len(moments) - bisect_left(moments, turns[pk].since)
        deadline = time_control.deadline(time_control.lengthened(turns[pk], hours))
        if deadline > moment:
            heapq.heapreplace(running, (deadline - used, pk))
            continue
        if moment.year not in left:
            left[moment.year] = left_of(moment.year)
        if left[moment.year]:
            left[moment.year] -= 1
            moments.append(moment)
        else:
            lost[pk] = len(moments)  # lost at that moment: no later hour reaches it
            heapq.heappop(running)
    return Hours(moments, lost)
