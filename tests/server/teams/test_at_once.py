"""Captains who do several things at the same moment, each on their own connection."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from crownhead.server.accounts.models import User
from crownhead.server.core.problems import Conflict
from crownhead.server.teams.models import Team
from crownhead.server.teams.services.founding import MAX_LED
from tests.server.play.test_at_once import at_once, in_a_file
from tests.server.teams.factories import make_team

__all__ = ["in_a_file"]


def test_of_many_teams_founded_at_once_there_are_as_many_as_one_may_lead(
    alice: User, in_a_file: Callable[[], None]
) -> None:
    numbers = count(1)
    in_a_file()
    outcomes = at_once([lambda: make_team(alice, f"Team number {next(numbers)}")] * (MAX_LED + 7))
    assert outcomes == {Team: MAX_LED, Conflict: 7}
    assert Team.objects.filter(captain=alice).count() == MAX_LED
