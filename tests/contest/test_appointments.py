"""Two people agree on a time for their game."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from crownhead.contest.appointments import Appointment, State, accept, at_fault, give_up, propose
from crownhead.contest.errors import ContestError

NOW = datetime(2027, 3, 1, 12, tzinfo=UTC)
OPEN = Appointment("ann", "ben", until=NOW + timedelta(days=7))


def hours(count: int) -> datetime:
    return NOW + timedelta(hours=count)


def test_a_time_that_both_have_proposed_is_agreed() -> None:
    asked = propose(OPEN, "ann", [hours(5), hours(30)], NOW)
    assert asked.state(NOW) is State.PROPOSED
    assert asked.waits_for(NOW) == ("ben",)
    answered = propose(asked, "ben", [hours(40), hours(30)], NOW)
    assert answered.agreed == hours(30)
    assert answered.state(NOW) is State.AGREED
    assert answered.waits_for(NOW) == ()


def test_the_earliest_common_time_is_taken() -> None:
    asked = propose(OPEN, "ann", [hours(50), hours(9), hours(20)], NOW)
    assert propose(asked, "ben", [hours(20), hours(50)], NOW).agreed == hours(20)


def test_one_of_the_opponents_times_may_be_taken() -> None:
    asked = propose(OPEN, "ann", [hours(5), hours(30)], NOW)
    assert accept(asked, "ben", hours(5), NOW).agreed == hours(5)
    with pytest.raises(ContestError, match="expected one of the times"):
        accept(asked, "ben", hours(6), NOW)
    with pytest.raises(ContestError, match="expected one of the times"):
        accept(asked, "ann", hours(5), NOW)


def test_a_time_that_is_past_can_no_longer_be_taken() -> None:
    asked = propose(OPEN, "ann", [hours(5)], NOW)
    assert asked.state(hours(6)) is State.OPEN
    with pytest.raises(ContestError, match=r"expected one of the times \[\]"):
        accept(asked, "ben", hours(5), hours(6))


def test_proposing_again_gives_up_what_was_agreed() -> None:
    agreed = accept(propose(OPEN, "ann", [hours(5)], NOW), "ben", hours(5), NOW)
    assert propose(agreed, "ann", [hours(9)], NOW).agreed is None
    assert give_up(agreed, "ben").agreed is None
    assert give_up(agreed, "ann").proposed == ()


def test_an_agreed_time_without_a_game_is_missed_after_a_while() -> None:
    agreed = accept(propose(OPEN, "ann", [hours(5)], NOW), "ben", hours(5), NOW)
    assert agreed.state(hours(5)) is State.AGREED
    assert agreed.state(hours(6)) is State.MISSED
    assert agreed.waits_for(hours(6)) == ("ann", "ben")


@pytest.mark.parametrize(
    ("times", "complaint"),
    [
        ([], "expected 1 to 10 times, got 0"),
        ([NOW], "expected times between"),
        ([NOW + timedelta(days=8)], "expected times between"),
        ([NOW + timedelta(hours=n) for n in range(1, 12)], "expected 1 to 10 times, got 11"),
    ],
)
def test_times_that_cannot_be_are_refused(times: list[datetime], complaint: str) -> None:
    with pytest.raises(ContestError, match=complaint):
        propose(OPEN, "ann", times, NOW)


def test_a_stranger_has_no_say() -> None:
    with pytest.raises(ContestError, match="expected 'ann' or 'ben', got 'zoe'"):
        propose(OPEN, "zoe", [hours(5)], NOW)


def test_a_player_who_never_proposed_is_at_fault_when_the_round_is_over() -> None:
    late = NOW + timedelta(days=8)
    asked = propose(OPEN, "ann", [hours(5)], NOW)
    assert at_fault(asked, NOW) == ()
    assert at_fault(asked, late) == ("ben",)
    assert at_fault(OPEN, late) == ()
    assert at_fault(propose(asked, "ben", [hours(9)], NOW), late) == ()
