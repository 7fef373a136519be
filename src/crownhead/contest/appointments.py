"""Agreeing on a time for a live game: both players propose times, and the first that suits both is chosen.

Everything is a pure function of the proposals and of ``now``: past proposals are dropped, a time
that both have proposed is agreed, and a player can accept one of the opponent's times.
If only one player has responded by the end of the round, the other is at fault.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from crownhead.contest.errors import ContestError

MOST = 10  # times that a player may propose
SLACK = timedelta(minutes=15)  # a player who is later than this counts as absent


class State(StrEnum):
    """The state of an appointment."""

    OPEN = "open"  # there is no proposed time in the future
    PROPOSED = "proposed"  # there is, but it has not been accepted
    AGREED = "agreed"
    MISSED = "missed"  # the agreed time has passed without a game


@dataclass(frozen=True, slots=True)
class Appointment:
    """The times that two players have proposed, and the one they have agreed on."""

    first: str
    second: str
    until: datetime  # the end of the round
    proposed: tuple[tuple[str, datetime], ...] = ()  # (player, time), oldest proposal first
    agreed: datetime | None = None

    def times_of(self, key: str, now: datetime) -> tuple[datetime, ...]:
        """Return the future times that a player has proposed, earliest first."""
        return tuple(sorted(time for who, time in self.proposed if who == key and time > now))

    def other(self, key: str) -> str:
        """Return the opponent; raises ``ContestError`` if ``key`` is neither player."""
        if key not in (self.first, self.second):
            raise ContestError(f"expected {self.first!r} or {self.second!r}, got {key!r}")
        return self.second if key == self.first else self.first

    def state(self, now: datetime) -> State:
        """Return the state at the time ``now``."""
        if self.agreed is not None:
            return State.MISSED if now > self.agreed + SLACK else State.AGREED
        return State.PROPOSED if any(time > now for _, time in self.proposed) else State.OPEN

    def waits_for(self, now: datetime) -> tuple[str, ...]:
        """Return the players who have to respond: those without a future proposal; none once agreed."""
        if self.state(now) is State.AGREED:
            return ()
        silent = tuple(key for key in (self.first, self.second) if not self.times_of(key, now))
        return silent or (self.first, self.second)


def propose(appointment: Appointment, key: str, times: Sequence[datetime], now: datetime) -> Appointment:
    """Replace a player's proposals; if the opponent has proposed one of these times too, agree on it.

    Proposing again cancels an agreed time. Raises ``ContestError`` for an unknown player, for no or too many
    times, and for times in the past or after the round.
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
    """Accept one of the opponent's times; raises ``ContestError`` if they have not proposed it."""
    offered = appointment.times_of(appointment.other(key), now)
    if time not in offered:
        raise ContestError(f"expected one of the times {[str(one) for one in offered]}, got {time}")
    return replace(appointment, agreed=time)


def give_up(appointment: Appointment, key: str) -> Appointment:
    """Withdraw a player's proposals and any agreed time; raises ``ContestError`` for an unknown player."""
    appointment.other(key)
    kept = tuple((who, time) for who, time in appointment.proposed if who != key)
    return replace(appointment, proposed=kept, agreed=None)


def at_fault(appointment: Appointment, now: datetime) -> tuple[str, ...]:
    """After a round without a game, return the player who alone proposed no time, if there is one."""
    if now <= appointment.until:
        return ()
    asked = {who for who, _ in appointment.proposed}
    silent = tuple(key for key in (appointment.first, appointment.second) if key not in asked)
    return silent if len(silent) == 1 else ()
