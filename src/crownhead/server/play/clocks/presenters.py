"""Clocks as pages show them: what is left, how it is written, whether it runs, and why it does not."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from crownhead.server.core.moments import moment_text
from crownhead.server.play.choices import Status
from crownhead.server.play.clocks.time_control import HOUR, SATURDAY, Pace, pace_text
from crownhead.server.play.clocks.timing import control_of
from crownhead.server.play.models import Game
from crownhead.server.play.presenters.state import GameState

_SHORT = 0.2  # the part of the whole time from which on it is said to be short
_SHORT_LIVE, _TENTHS = timedelta(seconds=20), timedelta(seconds=10)  # of live games, at most and at least
_SECOND, _MILLISECOND = timedelta(seconds=1), timedelta(milliseconds=1)
_DAY = 24 * 60  # minutes


@dataclass(frozen=True, slots=True)
class ClockPresenter:
    """A player's clock; ``left``, ``alarm`` and ``waits`` are milliseconds.

    ``alarm``: the time from which on it is short. ``waits``: how long it does not run yet, for a first move.
    ``ticking``: it shows seconds. ``until``: when the time of the one on turn is out, weekends and
    vacation counted.
    """

    text: str
    short: bool
    left: int
    alarm: int
    waits: int
    running: bool
    ticking: bool
    until: datetime | None


def clock_presenter(state: GameState, seat: str) -> ClockPresenter | None:
    """The clock of a seat; None unless the game is in progress, or was played live."""
    left = state.time.left.get(seat)
    is_live = state.time.control.pace is Pace.LIVE
    if left is None or not (state.status == Status.PLAYING or (is_live and state.outcome)):
        return None
    on_turn = state.turn == seat
    alarm = _alarm(state)
    running = on_turn and not state.time.stands_still
    ticking = is_live or (running and left < HOUR)
    return ClockPresenter(
        text=digits(left) if ticking else duration(left),
        short=on_turn and left < alarm,
        left=left // _MILLISECOND,
        alarm=alarm // _MILLISECOND,
        waits=state.time.waits // _MILLISECOND if running else 0,
        running=running,
        ticking=ticking,
        until=state.deadline if on_turn else None,
    )


def pace_of(game: Game) -> str:
    """The terms of a game's time, as people say them."""
    return pace_text(control_of(game))


def digits(left: timedelta) -> str:
    """``4:07``, or ``1:04:07`` from an hour on."""
    minutes, seconds = divmod(left // _SECOND, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def duration(rest: timedelta) -> str:
    """A time in its two largest units: from a day on to the nearest hour, below it never too much."""
    minutes = int(rest.total_seconds()) // 60
    if minutes >= _DAY:
        days, hours = divmod((minutes + 30) // 60, 24)
        return " ".join(filter(None, (_days(days), _hours(hours))))
    hours = minutes // 60
    if hours:
        return " ".join(filter(None, (_hours(hours), _minutes(minutes % 60))))
    return _minutes(minutes) or _("less than a minute")


def pause_sentences(state: GameState, now: datetime) -> list[str]:
    """What holds the clock up, and who is away: a sentence each."""
    if state.status != Status.PLAYING:
        return []
    players = {"first": state.first, "second": state.second}
    sentences = [
        _("%(name)s is on vacation until %(date)s.") % {"name": player.username, "date": moment_text(until)}
        for seat, player in players.items()
        if player and (until := state.time.away.get(seat))
    ]
    if state.time.adjourned_until:
        date = moment_text(state.time.adjourned_until)
        sentences.append(_("The game is adjourned: the clock is stopped until %(date)s.") % {"date": date})
    elif state.time.stands_still and state.time.control.weekends_off and now.weekday() >= SATURDAY:
        sentences.append(_("It's the weekend: the clock is stopped."))
    hours = state.time.added_hours
    if hours:
        sentences.append(
            ngettext(
                "%(hours)s hour of vacation has been added to this turn.",
                "%(hours)s hours of vacation have been added to this turn.",
                hours,
            )
            % {"hours": hours}
        )
    return sentences


def _alarm(state: GameState) -> timedelta:
    alarm = _SHORT * state.time.control.initial
    return min(max(alarm, _TENTHS), _SHORT_LIVE) if state.time.control.pace is Pace.LIVE else alarm


def _days(count: int) -> str:
    return ngettext("%(count)s day", "%(count)s days", count) % {"count": count} if count else ""


def _hours(count: int) -> str:
    return ngettext("%(count)s hour", "%(count)s hours", count) % {"count": count} if count else ""


def _minutes(count: int) -> str:
    return ngettext("%(count)s minute", "%(count)s minutes", count) % {"count": count} if count else ""
