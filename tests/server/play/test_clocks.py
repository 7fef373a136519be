"""The rules of time as properties: a deadline, what is left, weekends, vacations, reminders."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crownhead.server.play.clocks import time_control
from crownhead.server.play.clocks.time_control import DAY, HOUR, ZERO, Pace, Reminder, Span, TimeControl, Turn

FRIDAY_NOON = datetime(2026, 3, 6, 12, tzinfo=UTC)
TICK = timedelta(microseconds=1)

moments = st.timedeltas(ZERO, timedelta(days=330)).map(lambda later: datetime(2026, 1, 1, tzinfo=UTC) + later)
times = st.timedeltas(timedelta(seconds=1), timedelta(days=40))
hours = st.integers(0, 300).map(lambda count: count * HOUR)


@st.composite
def spans(draw: st.DrawFn, since: datetime) -> tuple[Span, ...]:
    """Vacations that do not overlap, some begun before the turn, some that touch."""
    found, at = [], since - 3 * DAY
    for _ in range(draw(st.integers(0, 3))):
        begins = at + draw(hours) / 4
        at = begins + draw(hours) + HOUR
        found.append((begins, at))
    return tuple(span for span in found if span[1] > since)


@st.composite
def turns(draw: st.DrawFn) -> Turn:
    """Turns at any pace, with weekends off or not, with vacations or none, adjourned or not."""
    pace, since, left = draw(st.sampled_from(Pace)), draw(moments), draw(times)
    stands = pace is not Pace.LIVE
    control = TimeControl(
        pace=pace,
        initial=left if pace is Pace.DAYS else draw(times),
        bonus=ZERO if pace is Pace.DAYS else draw(times),
        limit=left + draw(times) if pace is Pace.BANK else None,
        weekends_off=stands and draw(st.booleans()),
        vacation=stands and draw(st.booleans()),
    )
    added = draw(st.integers(0, 30)) * HOUR if control.vacation else ZERO
    away, adjourned = draw(spans(since)), draw(spans(since))
    return Turn(control=control, left=left, since=since, added=added, away=away, adjourned=adjourned)


def _runs(turn: Turn, moment: datetime) -> bool:
    """Whether the clock runs at a moment, said in another way than the module does."""
    if turn.control.weekends_off and moment.weekday() >= 5:
        return False
    if any(begins <= moment < ends for begins, ends in turn.adjourned):
        return False
    return not (turn.control.vacation and any(begins <= moment < ends for begins, ends in turn.away))


@given(turns())
def test_as_much_has_run_at_the_deadline_as_there_was_and_less_a_tick_before(turn: Turn) -> None:
    ends = time_control.deadline(turn)
    assert time_control.used(turn, ends) == turn.left + turn.added
    assert time_control.used(turn, ends - TICK) == turn.left + turn.added - TICK
    assert time_control.left_at(turn, ends) == ZERO < time_control.left_at(turn, ends - TICK)


@given(turns(), times)
def test_the_time_that_has_run_is_that_of_the_hours_in_which_the_clock_runs(
    turn: Turn, later: timedelta
) -> None:
    now = turn.since + later
    stops = (*turn.away, *turn.adjourned)
    edges = {turn.since, now} | {edge for span in stops for edge in span if turn.since < edge < now}
    midnight = turn.since.replace(hour=0, minute=0, second=0, microsecond=0)
    edges |= {day for n in range(45) if turn.since < (day := midnight + n * DAY) < now}
    cuts = sorted(edges)
    pieces = pairwise(cuts)
    ran = sum((end - begin for begin, end in pieces if _runs(turn, begin)), ZERO)
    assert time_control.used(turn, now) == ran


@given(turns(), times)
def test_a_clock_stands_still_when_it_does_not_run(turn: Turn, later: timedelta) -> None:
    now = turn.since + later
    assert time_control.stands_still(turn, now) is not _runs(turn, now)


@given(turns(), times, times)
def test_what_is_left_never_grows_within_a_turn(turn: Turn, sooner: timedelta, later: timedelta) -> None:
    first, second = sorted((turn.since + sooner, turn.since + later))
    assert time_control.left_at(turn, first) >= time_control.left_at(turn, second)


@given(turns(), st.integers(1, 50))
def test_an_hour_used_moves_the_deadline_by_an_hour_of_running_time(turn: Turn, count: int) -> None:
    longer = time_control.lengthened(turn, count)
    assert (
        time_control.used(turn, time_control.deadline(longer))
        - time_control.used(turn, time_control.deadline(turn))
        == count * HOUR
    )


@given(turns(), times)
def test_a_vacation_to_come_changes_nothing_that_has_been(turn: Turn, later: timedelta) -> None:
    now = turn.since + later
    free = Turn(control=turn.control, left=turn.left, since=turn.since, added=turn.added)
    away = Turn(
        control=turn.control, left=turn.left, since=turn.since, added=turn.added, away=((now, now + DAY),)
    )
    assert time_control.used(free, now) == time_control.used(away, now)
    assert time_control.deadline(away) >= time_control.deadline(free)


@given(turns(), times)
def test_after_a_move_nobody_has_more_than_the_pace_allows(turn: Turn, later: timedelta) -> None:
    control, now = turn.control, min(turn.since + later, time_control.deadline(turn))
    left = time_control.left_after(turn, now)
    if control.pace is Pace.DAYS:
        assert left == control.initial
    else:
        assert left <= turn.left + control.bonus
        assert control.limit is None or left <= control.limit


@given(turns())
def test_reminders_come_in_order_within_the_turn(turn: Turn) -> None:
    found = time_control.reminders(turn)
    assert list(found) == sorted(found)
    assert all(turn.since <= at < time_control.deadline(turn) for at, _ in found)
    assert {kind for _, kind in found} >= (
        {Reminder.HALF, Reminder.FIFTH} if turn.control.pace != "live" else set()
    )
    for at, kind in found:
        rest = {Reminder.HALF: turn.left / 2, Reminder.FIFTH: turn.left / 5, Reminder.TWO_HOURS: 2 * HOUR}[
            kind
        ]
        assert time_control.left_at(turn, at) == rest


@given(turns(), times)
def test_the_next_reminder_is_the_first_that_is_still_to_come(turn: Turn, later: timedelta) -> None:
    now = turn.since + later
    coming = [entry for entry in time_control.reminders(turn) if entry[0] > now]
    assert time_control.next_reminder(turn, now) == (coming[0] if coming else None)


def _days(count: int, *, weekends_off: bool = False, vacation: bool = False) -> TimeControl:
    return TimeControl(pace=Pace.DAYS, initial=count * DAY, weekends_off=weekends_off, vacation=vacation)


def test_three_days_from_a_friday_noon_with_weekends_off_end_on_wednesday_noon() -> None:
    turn = Turn(control=_days(3, weekends_off=True), left=3 * DAY, since=FRIDAY_NOON)
    assert time_control.deadline(turn) == FRIDAY_NOON + 5 * DAY


def test_time_that_is_out_as_the_weekend_begins_is_out_then() -> None:
    turn = Turn(control=_days(1, weekends_off=True), left=12 * HOUR, since=FRIDAY_NOON)
    assert time_control.deadline(turn) == FRIDAY_NOON + 12 * HOUR


def test_a_turn_that_begins_on_a_sunday_runs_from_monday() -> None:
    sunday = FRIDAY_NOON + 2 * DAY
    turn = Turn(control=_days(1, weekends_off=True), left=DAY, since=sunday)
    assert time_control.deadline(turn) == datetime(2026, 3, 10, tzinfo=UTC)


def test_a_vacation_that_meets_a_weekend_stops_the_clock_through_both() -> None:
    monday = datetime(2026, 3, 9, tzinfo=UTC)
    control = _days(1, weekends_off=True, vacation=True)
    turn = Turn(control=control, left=DAY, since=FRIDAY_NOON, away=((monday, monday + 2 * DAY),))
    assert time_control.deadline(turn) == monday + 2 * DAY + 12 * HOUR


@pytest.mark.parametrize(
    ("spent", "left"), [(ZERO, 300 + 3), (timedelta(seconds=10), 293), (timedelta(seconds=300), 3)]
)
def test_a_live_clock_loses_what_was_used_and_gains_the_increment(spent: timedelta, left: int) -> None:
    control = TimeControl(pace=Pace.LIVE, initial=timedelta(minutes=5), bonus=timedelta(seconds=3))
    turn = Turn(control=control, left=timedelta(minutes=5), since=FRIDAY_NOON)
    assert time_control.left_after(turn, FRIDAY_NOON + spent) == timedelta(seconds=left)


def test_a_bank_grows_up_to_its_limit_and_keeps_no_vacation() -> None:
    control = TimeControl(pace=Pace.BANK, initial=72 * HOUR, bonus=12 * HOUR, limit=80 * HOUR, vacation=True)
    turn = Turn(control=control, left=72 * HOUR, since=FRIDAY_NOON, added=5 * HOUR)
    assert time_control.left_after(turn, FRIDAY_NOON + HOUR) == 80 * HOUR
    assert time_control.left_after(turn, FRIDAY_NOON + 70 * HOUR) == 19 * HOUR
    assert time_control.left_without_move(turn, FRIDAY_NOON + HOUR) == 72 * HOUR


@given(turns(), times, times)
def test_an_adjournment_moves_the_deadline_just_as_far_as_the_clock_would_have_run(
    turn: Turn, later: timedelta, length: timedelta
) -> None:
    now = turn.since + later
    held = replace(turn, adjourned=(*turn.adjourned, (now, now + length)))
    before = time_control.deadline(turn)
    if before <= now:
        assert time_control.deadline(held) == before
    else:
        assert time_control.left_at(held, now + length) == time_control.left_at(turn, now)
        assert time_control.deadline(held) >= max(before, now + length)


def test_an_adjournment_stops_a_live_clock_too() -> None:
    control = TimeControl(pace=Pace.LIVE, initial=timedelta(minutes=5))
    noon = FRIDAY_NOON + timedelta(minutes=1)
    turn = Turn(
        control=control, left=5 * timedelta(minutes=1), since=FRIDAY_NOON, adjourned=((noon, noon + DAY),)
    )
    assert time_control.deadline(turn) == noon + DAY + timedelta(minutes=4)
    assert time_control.stands_still(turn, noon)


def test_a_short_turn_has_no_reminder_of_two_hours() -> None:
    turn = Turn(control=_days(1), left=2 * HOUR, since=FRIDAY_NOON)
    assert [kind for _, kind in time_control.reminders(turn)] == [Reminder.HALF, Reminder.FIFTH]
