"""Captains who do several things at the same moment, each on their own connection."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.core.problems import Conflict
from crownhead.server.teams import services
from crownhead.server.teams.models import Team, TeamMatch
from crownhead.server.teams.services import matches
from crownhead.server.teams.services.founding import MAX_LED
from tests.server.conftest import make_user
from tests.server.play.factories import NOW
from tests.server.play.test_at_once import at_once, in_a_file
from tests.server.teams.factories import make_proposed_match, make_team

__all__ = ["in_a_file"]


def test_of_many_teams_founded_at_once_there_are_as_many_as_one_may_lead(
    alice: User, in_a_file: Callable[[], None]
) -> None:
    numbers = count(1)
    in_a_file()
    outcomes = at_once([lambda: make_team(alice, f"Team number {next(numbers)}")] * (MAX_LED + 7))
    assert outcomes == {Team: MAX_LED, Conflict: 7}
    assert Team.objects.filter(captain=alice).count() == MAX_LED


def test_of_many_matches_accepted_at_once_a_team_lines_up_for_as_many_as_it_may(
    alice: User, bob: User, in_a_file: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matches, "MAX_LINING_UP", 2)
    away = make_team(bob, "Blue Cats")
    homes = [make_team(alice, f"Team number {number}") for number in range(1, 5)]
    proposed = [make_proposed_match(home, away, boards=1) for home in homes]
    in_a_file()
    outcomes = at_once(
        [
            partial(services.answer_match, user=bob, match_id=match.public_id, accepted=True, now=NOW)
            for match in proposed
        ]
    )
    assert outcomes == {TeamMatch: 2, Conflict: 2}
    assert TeamMatch.objects.filter(status="lining_up").count() == 2


def test_of_many_matches_proposed_at_once_a_team_gets_as_many_as_it_may(
    alice: User, in_a_file: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matches, "MAX_RECEIVED", 2)
    away = make_team(alice, "Blue Cats")
    homes = [make_team(make_user(f"captain{number}"), f"Team number {number}") for number in range(1, 6)]
    in_a_file()
    outcomes = at_once([partial(make_proposed_match, home, away, boards=1) for home in homes])
    assert outcomes == {TeamMatch: 2, Conflict: 3}


def test_captains_who_propose_to_each_other_at_once_do_not_wait_for_one_another(
    alice: User, bob: User, in_a_file: Callable[[], None]
) -> None:
    dogs, cats = make_team(alice, "Blue Dogs"), make_team(bob, "Blue Cats")
    in_a_file()
    there = partial(make_proposed_match, dogs, cats, boards=1)
    back = partial(make_proposed_match, cats, dogs, boards=1)
    assert at_once([there, back] * matches.MAX_REFUSED) == {TeamMatch: 2 * matches.MAX_REFUSED}
