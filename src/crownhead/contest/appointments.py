"""When two people play a live game: each proposes times, and the first that suits both is taken.

Everything is a pure function of the proposals and of ``now``: proposals that are past are dropped, a time
that both have proposed is agreed, and who proposed first can be answered by naming one of his times.
Somebody who has answered and whose opponent has not is in the right when the round's end comes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from crownhead.contest.errors import ContestError

MOST = 10  # times that one may propose
SLACK = timedelta(minutes=15)  # who has not come by then has not come


class State(StrEnum):
    """How far the two have come."""

    OPEN = "open"  # nobody has proposed a time that is still to come
    PROPOSED = "proposed"  # somebody has, and the other has not taken one
    AGREED = "agreed"
    MISSED = "missed"  # the agreed time is past, and no game was begun


@dataclass(frozen=True, slots=True)
class Appointment:
    """The times that two players have proposed, and the one that they agreed on."""

    first: str
    second: str
    until: datetime  # the end of the round
    proposed: tuple[tuple[str, datetime], ...] = ()  # who, when; the oldest proposal first
    agreed: datetime | None = None

    def times_of(self, key: str, now: datetime) -> tuple[datetime, ...]:
        """The times that a player has proposed and that are still to come, the earliest first."""
        return tuple(sorted(time for who, time in self.proposed if who == key and time > now))

    def other(self, key: str) -> str:
        """The opponent. Raises ``ContestError`` for a stranger."""
        if key not in (self.first, self.second):
            raise ContestError(f"expected {self.first!r} or {self.second!r}, got {key!r}")
        return self.second if key == self.first else self.first

    def state(self, now: datetime) -> State:
        """How far the two have come."""
        if self.agreed is not None:
            return State.MISSED if now > self.agreed + SLACK else State.AGREED
        return State.PROPOSED if any(time > now for _, time in self.proposed) else State.OPEN

    def waits_for(self, now: datetime) -> tuple[str, ...]:
        """Who has to do something: those without a time that is still to come; nobody once it is agreed."""
        if self.state(now) is State.AGREED:
            return ()
        silent = tuple(key for key in (self.first, self.second) if not self.times_of(key, now))
        return silent or (self.first, self.second)


def propose(appointment: Appointment, key: str, times: Sequence[datetime], now: datetime) -> Appointment:
    """Put a player's proposals in the place of his earlier ones; agree where one of them is the other's too.

    An agreed time is given up by proposing again. Raises ``ContestError`` on a stranger, no or too many
    times, and on times that are past or after the round.
    """
    other = appointment.other(key)
    asked = sorted(set(times))
    if not 1 <= len(asked) <= MOST:
        raise ContestError(f"expected 1 to {MOST} times, got {len(asked)}")
    for time in asked:
        if not now < time <= appointment.until:
            raise ContestError(f"expected times between {now} and {appointment.until}, got {time}")
    kept = tuple((who, time) for who, time in appointment.proposed if who != key and time > now)
    theirs = set(appointment.times_of(other, now))
    common = next((time for time in asked if time in theirs), None)
    return replace(appointment, proposed=kept + tuple((key, time) for time in asked), agreed=common)


def accept(appointment: Appointment, key: str, time: datetime, now: datetime) -> Appointment:
    """Agree on one of the opponent's times. Raises ``ContestError`` where he has not proposed it."""
    offered = appointment.times_of(appointment.other(key), now)
    if time not in offered:
        raise ContestError(f"expected one of the times {[str(one) for one in offered]}, got {time}")
    return replace(appointment, agreed=time)


def give_up(appointment: Appointment, key: str) -> Appointment:
    """Take back one's proposals, and the agreed time with them. Raises ``ContestError`` for a stranger."""
    appointment.other(key)
    kept = tuple((who, time) for who, time in appointment.proposed if who != key)
    return replace(appointment, proposed=kept, agreed=None)


def at_fault(appointment: Appointment, now: datetime) -> tuple[str, ...]:
    """Once the round is over without a game: who never proposed a time, while the other did; else nobody."""
    if now <= appointment.until:
        return ()
    asked = {who for who, _ in appointment.proposed}
    silent = tuple(key for key in (appointment.first, appointment.second) if key not in asked)
    return silent if len(silent) == 1 else ()
