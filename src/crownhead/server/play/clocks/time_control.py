"""The rules of time, each a pure function of a game's control and of moments.

A clock runs for the player on turn and for nobody else. It stands still on Saturdays and Sundays where the
game has weekends off (whole days in UTC, the same for both players), and while the player is on vacation
planned in advance, where the game allows vacation. Running time is what passes otherwise: a time of
three days that begins on a Friday noon is out on the Wednesday noon after it.

Three paces: **days** gives each move the same time; **bank** (BrainKing's time, bonus, limit) and **live**
(Fischer's clock) give a time for the game that grows by the bonus with each move made, up to the limit if
there is one. A live clock knows neither weekends nor vacations.

Hours of vacation that were used as the time ran out lengthen the turn in which they were used; what is left
of them when the move is made is not kept.

The clock of a live game waits a little for the first move of each side (``grace``).

A director may let the clock of a game, live ones too, stand still until some moment: the game is adjourned.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

ZERO, HOUR, DAY = timedelta(0), timedelta(hours=1), timedelta(days=1)
SATURDAY = 5
MIN_DAYS, MAX_DAYS = 1, 14

Span = tuple[datetime, datetime]  # from, to (not including)


class Pace(StrEnum):
    """How time is given."""

    DAYS = "days"
    BANK = "bank"
    LIVE = "live"


class Reminder(StrEnum):
    """What of the turn's time is left when a player is reminded."""

    HALF = "half"
    FIFTH = "fifth"
    TWO_HOURS = "two-hours"


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeControl:
    """The terms of a game's time; ``initial`` is the time of each move at a pace of days."""

    pace: Pace
    initial: timedelta
    bonus: timedelta = ZERO
    limit: timedelta | None = None
    weekends_off: bool = False
    vacation: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A player's turn: the time ``left`` when it began at ``since``, and what extends it.

    ``added`` is vacation that was used as the time ran out; ``away`` are the player's vacations set in
    advance; ``adjourned`` is when a director lets the clock stand still; ``grace`` passes before it runs.
    """

    control: TimeControl
    left: timedelta
    since: datetime
    added: timedelta = ZERO
    away: tuple[Span, ...] = ()
    adjourned: tuple[Span, ...] = ()
    grace: timedelta = ZERO


def deadline(turn: Turn) -> datetime:
    """When the time of the turn is out: the first moment at which as much has run as there was."""
    return _after(turn, turn.grace + turn.left + turn.added)


def used(turn: Turn, now: datetime) -> timedelta:
    """How much of the turn's time has run by ``now``."""
    return max(_passed(turn, now) - turn.grace, ZERO)


def waits(turn: Turn, now: datetime) -> timedelta:
    """How long the clock still waits for a first move before it runs."""
    return max(turn.grace - _passed(turn, now), ZERO)


def _passed(turn: Turn, now: datetime) -> timedelta:
    ran = max(now - turn.since, ZERO)
    for begins, ends in _pauses(turn, until=now):
        ran -= min(ends, now) - begins
    return ran


def left_at(turn: Turn, now: datetime) -> timedelta:
    """How much of it is left at ``now``; never less than nothing."""
    return max(turn.left + turn.added - used(turn, now), ZERO)


def left_after(turn: Turn, now: datetime) -> timedelta:
    """The player's time for the next turn when this one ends at ``now`` with a move."""
    control = turn.control
    if control.pace is Pace.DAYS:
        return control.initial
    grown = left_without_move(turn, now) + control.bonus
    return grown if control.limit is None else min(grown, control.limit)


def left_without_move(turn: Turn, now: datetime) -> timedelta:
    """The player's time for the next turn when this one ends at ``now`` because moves are taken back."""
    if turn.control.pace is Pace.DAYS:
        return turn.control.initial
    return min(turn.left, left_at(turn, now))


def reminders(turn: Turn) -> tuple[tuple[datetime, Reminder], ...]:
    """The moments at which the player is reminded, in order; none in live games.

    Half and a fifth of the time with which the turn began, and two hours where it began with more.
    """
    if turn.control.pace is Pace.LIVE:
        return ()
    parts = {Reminder.HALF: turn.left / 2, Reminder.FIFTH: turn.left / 5, Reminder.TWO_HOURS: 2 * HOUR}
    whole = turn.left + turn.added
    moments = [(_after(turn, whole - part), kind) for kind, part in parts.items() if part < turn.left]
    return tuple(sorted(moments))


def next_reminder(turn: Turn, now: datetime) -> tuple[datetime, Reminder] | None:
    """The first reminder after ``now``."""
    return next((reminder for reminder in reminders(turn) if reminder[0] > now), None)


def stands_still(turn: Turn, now: datetime) -> bool:
    """The clock does not run at ``now``."""
    return any(begins <= now < ends for begins, ends in _pauses(turn, until=now + HOUR))


def lengthened(turn: Turn, hours: int = 1) -> Turn:
    """The turn with so many more hours of vacation used."""
    return replace(turn, added=turn.added + hours * HOUR)


def _after(turn: Turn, running: timedelta) -> datetime:
    """The first moment at which ``running`` time has passed since the turn began."""
    moment, rest = turn.since, running
    for begins, ends in _pauses(turn):
        if moment + rest <= begins:
            break
        rest -= begins - moment
        moment = ends
    return moment + rest


def _pauses(turn: Turn, *, until: datetime | None = None) -> Iterator[Span]:
    """When the clock stands still from the beginning of the turn on, in order, begun before ``until``.

    One may begin where another ends, but none before that. Without ``until`` there is no end of weekends.
    """
    control, at = turn.control, turn.since
    pauses: Iterable[Span] = sorted([*turn.adjourned, *(turn.away if control.vacation else ())])
    if control.weekends_off:
        pauses = heapq.merge(pauses, _weekends(at))
    for begins, ends in pauses:
        first = max(begins, at)
        if until is not None and first >= until:
            return
        if first < ends:
            yield first, ends
            at = ends


def _weekends(moment: datetime) -> Iterator[Span]:
    """The Saturday and Sunday in UTC that hold ``moment``, or else the next ones; and all that follow."""
    midnight = moment.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    saturday = midnight + (SATURDAY - midnight.weekday()) * DAY
    while True:
        yield saturday, saturday + 2 * DAY
        saturday += 7 * DAY


def pace_text(control: TimeControl) -> str:
    """``3 days per move``, ``28 hours per move``, ``72 h + 12 h per move, at most 96 h``, ``5 min + 3 s``.

    What stops the clock is added.
    """
    stops = []
    if control.weekends_off:
        stops.append(_("weekends off"))
    if control.vacation:
        stops.append(_("with vacation"))
    return ", ".join([_pace(control), *stops])


def _pace(control: TimeControl) -> str:
    if control.pace is Pace.DAYS:
        days = control.initial // DAY
        return ngettext("%(days)s day per move", "%(days)s days per move", days) % {"days": days}
    if control.pace is Pace.LIVE:
        seconds = int(control.initial.total_seconds())
        minutes = f"{seconds // 60} min" if seconds % 60 == 0 else f"{seconds} s"
        return f"{minutes} + {int(control.bonus.total_seconds())} s"
    facts = {"bonus": control.bonus // HOUR, "time": control.initial // HOUR}
    if control.initial == control.bonus == control.limit:  # what a move leaves over is not kept
        return ngettext("%(time)s hour per move", "%(time)s hours per move", facts["time"]) % facts
    if control.limit is None:
        return _("%(time)s h + %(bonus)s h per move") % facts
    facts["limit"] = control.limit // HOUR
    return _("%(time)s h + %(bonus)s h per move, at most %(limit)s h") % facts
