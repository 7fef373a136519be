"""Captains who do several things at the same moment, each on their own connection."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count
from random import Random

import pytest
from django.db import transaction

from crownhead.server.accounts.models import User
from crownhead.server.core.problems import Conflict, Unprocessable
from crownhead.server.play.models import Game
from crownhead.server.play.staff.services import adjudicate
from crownhead.server.teams import services
from crownhead.server.teams.models import Team, TeamMatch
from crownhead.server.teams.services import match_games, matches
from crownhead.server.teams.services.founding import MAX_LED
from tests.server.conftest import make_user
from tests.server.held_rows import beside, needs_held_rows, until_somebody_waits
from tests.server.play.factories import NOW
from tests.server.play.test_at_once import at_once, in_a_file
from tests.server.teams.factories import (
    let_play,
    make_accepted_match,
    make_proposed_match,
    make_team,
    make_team_of,
)

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


def _leave_while(act: Callable[[], object], *, leaver: User, team: Team) -> None:
    """Begin something while somebody leaves the team, and go on only once it waits for that."""
    with beside(act) as start, transaction.atomic():
        services.leave(user=leaver, team_id=team.public_id, now=NOW)
        start()
        until_somebody_waits()


def _lined_up_by_the_other_captain() -> tuple[list[User], list[User], Callable[[], object]]:
    """Both sides of a match that one has lined up for, and the line-up of the first, which begins it."""
    home, ours = make_team_of("dogs", 2)
    away, theirs = make_team_of("cats", 2)
    match = make_accepted_match(home, away, games_each=1)
    let_play(match, *ours, *theirs)
    line_up = partial(services.line_up, match_id=match.public_id, now=NOW)
    line_up(user=theirs[0], usernames=[user.username for user in theirs])
    return ours, theirs, partial(line_up, user=ours[0], usernames=[user.username for user in ours])


@needs_held_rows
@pytest.mark.django_db(transaction=True)
def test_a_member_who_leaves_while_their_captain_lines_up_gets_no_game() -> None:
    ours, _theirs, line_up = _lined_up_by_the_other_captain()
    with pytest.raises(Unprocessable, match="Not in your team: dogs-2"):
        _leave_while(line_up, leaver=ours[1], team=Team.objects.get(name="dogs"))
    assert not Game.objects.exists()


@needs_held_rows
@pytest.mark.django_db(transaction=True)
def test_a_member_who_leaves_while_the_other_captain_lines_up_gets_no_game() -> None:
    _ours, theirs, line_up = _lined_up_by_the_other_captain()
    _leave_while(line_up, leaver=theirs[1], team=Team.objects.get(name="cats"))
    assert not Game.objects.exists()
    assert TeamMatch.objects.get().status == "lining_up"


@needs_held_rows
@pytest.mark.django_db(transaction=True)
def test_a_member_who_leaves_while_the_worker_begins_the_other_boards_gets_no_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(match_games, "MAX_AT_ONCE", 1)
    home, ours = make_team_of("dogs", 2)
    away, theirs = make_team_of("cats", 2)
    match = make_accepted_match(home, away, games_each=1)
    let_play(match, *ours, *theirs)
    for users in (ours, theirs):
        names = [user.username for user in users]
        services.line_up(user=users[0], match_id=match.public_id, usernames=names, now=NOW)
    assert Game.objects.count() == 1
    _leave_while(
        lambda: match_games.begin_more(match_id=match.public_id, now=NOW, dice=Random(1)),
        leaver=ours[1],
        team=home,
    )
    assert Game.objects.count() == 1


@needs_held_rows
@pytest.mark.django_db(transaction=True)
def test_a_member_who_leaves_while_their_game_ends_without_a_result_plays_no_other() -> None:
    home, ours = make_team_of("dogs", 2)
    away, theirs = make_team_of("cats", 1)
    match = make_accepted_match(home, away, boards=1, games_each=1)
    let_play(match, ours[1])
    line_up = partial(services.line_up, match_id=match.public_id, now=NOW)
    line_up(user=ours[0], usernames=[ours[1].username])
    line_up(user=theirs[0], usernames=[theirs[0].username])
    judge, game = make_user("judge", is_staff=True), Game.objects.get()
    _leave_while(
        lambda: adjudicate(by=judge, game_id=game.public_id, result="nothing", reason="Ours.", now=NOW),
        leaver=ours[1],
        team=home,
    )
    assert Game.objects.count() == 1
