"""A clock that jumps is not believed at once."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from crownhead.server.core.clock import DoubtfulClock

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
SECOND, MINUTE, DAY = timedelta(seconds=1), timedelta(minutes=1), timedelta(days=1)


class Machine:
    """A machine with a clock that can be set, and seconds that are counted."""

    def __init__(self) -> None:
        self.wall, self.seconds = NOON, 100.0
        self.clock = DoubtfulClock(lambda: self.wall, lambda: self.seconds, 2 * MINUTE)

    def passes(self, time: timedelta) -> None:
        """Time passes."""
        self.wall += time
        self.seconds += time.total_seconds()


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.mark.parametrize("jump", [4 * DAY, -4 * DAY, timedelta(hours=1), -timedelta(hours=1)])
def test_a_clock_that_is_wrong_for_a_moment_changes_nothing(machine: Machine, jump: timedelta) -> None:
    machine.passes(SECOND)
    machine.wall += jump
    assert machine.clock.now() == NOON + SECOND
    machine.passes(MINUTE)
    assert machine.clock.now() == NOON + SECOND + MINUTE
    assert machine.clock.jump() == jump
    assert machine.clock.doubted_for() == MINUTE
    machine.wall -= jump
    assert machine.clock.now() == NOON + SECOND + MINUTE
    assert machine.clock.jump() is None
    assert machine.clock.doubted_for() == timedelta(0)


def test_small_corrections_are_followed_however_many_there_are(machine: Machine) -> None:
    for _ in range(10):
        machine.passes(SECOND)
        machine.wall += MINUTE
        assert machine.clock.now() == machine.wall
    assert machine.clock.jump() is None


def test_a_jump_that_is_accepted_is_the_time(machine: Machine) -> None:
    machine.wall += DAY
    assert machine.clock.now() == NOON
    machine.clock.accept()
    assert machine.clock.now() == NOON + DAY
    machine.passes(MINUTE)
    assert machine.clock.now() == NOON + DAY + MINUTE


def test_a_process_that_starts_while_the_clock_is_wrong_goes_on_from_what_it_is_told(
    machine: Machine,
) -> None:
    machine.wall += 4 * DAY
    started = DoubtfulClock(lambda: machine.wall, lambda: machine.seconds, 2 * MINUTE)
    started.begin_at(NOON)
    machine.passes(MINUTE)
    assert started.now() == NOON + MINUTE
    assert started.jump() == 4 * DAY


def test_machines_that_follow_the_clock_of_a_database_agree(machine: Machine) -> None:
    machine.clock.follow(NOON + MINUTE)
    assert machine.clock.now() == NOON + MINUTE
    machine.passes(SECOND)
    assert machine.clock.now() == NOON + MINUTE + SECOND
