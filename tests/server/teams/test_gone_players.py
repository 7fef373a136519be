"""Nobody is lined up, listed or counted for a match who has closed their account, or whose team is gone.

Somebody who closes their account stays in the rows of their teams until a worker comes.
"""

from __future__ import annotations

import json

import pytest
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.accounts.services.closing import close
from crownhead.server.core.problems import Conflict, Forbidden, Unprocessable
from crownhead.server.core.processes.queues import GENERAL
from crownhead.server.notices.models import Notice
from crownhead.server.play.models import Game
from crownhead.server.teams import jobs, services
from crownhead.server.teams.models import Availability, Board, LineUp, Member, Side, Team, TeamMatch
from crownhead.server.teams.selectors import matches
from crownhead.server.teams.services.availability import ask_members, expect_available
from tests.server.conftest import Api
from tests.server.play.factories import NOW
from tests.server.tasks import run_tasks
from tests.server.teams.factories import (
    fresh,
    let_play,
    make_accepted_match,
    make_proposed_match,
    make_team,
    make_team_of,
)

pytestmark = pytest.mark.django_db

Accepted = tuple[TeamMatch, list[User], list[User]]


@pytest.fixture
def accepted() -> Accepted:
    """A match on two boards between teams of three, who all can play."""
    home, ours = make_team_of("dogs", 3)
    away, theirs = make_team_of("cats", 3)
    match = make_accepted_match(home, away, games_each=1)
    let_play(match, *ours, *theirs)
    return TeamMatch.objects.select_related("home__captain", "away__captain").get(pk=match.pk), ours, theirs


def line_up(match: TeamMatch, captain: User, *users: User) -> None:
    names = [user.username for user in users]
    services.line_up(user=captain, match_id=match.public_id, usernames=names, now=NOW)


def disbanded(match: TeamMatch) -> None:
    """Say of the home team alone that it was disbanded, as if nothing else had followed from it."""
    Team.objects.filter(pk=match.home_id).update(disbanded_at=NOW)
    match.home.refresh_from_db()


def page_of(match: TeamMatch, user: User) -> str:
    browser = Client()
    browser.force_login(user)
    return browser.get(f"/team-matches/{match.public_id}/").content.decode()


def test_a_captain_is_not_offered_members_who_have_left_the_club(accepted: Accepted) -> None:
    match, ours, _theirs = accepted
    close(user=ours[1], now=NOW)
    assert Availability.objects.filter(match=match, user=ours[1]).exists()
    assert matches.available(match, Side.HOME) == ["dogs-1", "dogs-3"]
    listed = Api().as_(ours[0]).get(f"/team-matches/{match.public_id}/availability")
    assert json.loads(listed.content) == ["dogs-1", "dogs-3"]
    gone = User.objects.get(pk=ours[1].pk)
    assert gone.username not in page_of(match, ours[0])
    with pytest.raises(Unprocessable):
        expect_available(match, Side.HOME, [gone])
    with pytest.raises(Unprocessable):
        line_up(match, ours[0], ours[0], gone)


def test_a_line_up_with_somebody_who_has_left_the_club_holds_no_longer(accepted: Accepted) -> None:
    match, ours, theirs = accepted
    line_up(match, ours[0], ours[0], ours[1])
    assert matches.filed(match) == {"home"}
    assert matches.matches_waiting_for(ours[0].pk) == []
    close(user=ours[1], now=NOW)
    assert LineUp.objects.exists()
    assert matches.filed(match) == set()
    assert matches.lined_up(match, Side.HOME) is None
    assert matches.matches_waiting_for(ours[0].pk) == [match]
    assert "Waiting for the line-up of: dogs, cats." in page_of(match, ours[0])
    line_up(match, theirs[0], theirs[0], theirs[1])
    assert not Board.objects.exists()
    line_up(match, ours[0], ours[0], ours[2])
    assert Game.objects.count() == 2
    jobs.clear_what_is_left(NOW)
    match.refresh_from_db()
    assert match.status == "playing"


def test_boards_are_proposed_for_members_who_are_still_in_the_club() -> None:
    home, ours = make_team_of("dogs", 3)
    away, _theirs = make_team_of("cats", 3)
    close(user=ours[2], now=NOW)
    assert fresh(home).size == 3
    with pytest.raises(Unprocessable, match="Choose 1 to 2 boards"):
        make_proposed_match(fresh(home), away, boards=3)
    assert make_proposed_match(fresh(home), away, boards=2).boards == 2


def test_nobody_plays_for_a_team_that_was_disbanded(accepted: Accepted) -> None:
    match, ours, theirs = accepted
    line_up(match, ours[0], ours[0], ours[1])
    Notice.objects.all().delete()
    disbanded(match)
    assert matches.available(match, Side.HOME) == []
    assert matches.available(match, Side.AWAY) == ["cats-1", "cats-2", "cats-3"]
    assert matches.filed(match) == set()
    assert matches.matches_waiting_for(theirs[0].pk) == []
    with pytest.raises(Unprocessable):
        expect_available(match, Side.HOME, [ours[1]])
    with pytest.raises(Unprocessable, match="Not in your team"):
        line_up(match, ours[0], ours[0], ours[2])
    with pytest.raises(Forbidden):
        services.be_available(user=ours[1], match_id=match.public_id, available=True, now=NOW)
    ask_members(match_id=match.public_id)
    assert set(Notice.objects.values_list("user", flat=True)) == {theirs[1].pk, theirs[2].pk}
    line_up(match, theirs[0], theirs[0], theirs[1])
    assert not Board.objects.exists()


def test_the_job_leaves_the_teams_of_closed_accounts_and_their_matches(accepted: Accepted) -> None:
    match, ours, _theirs = accepted
    line_up(match, ours[0], ours[0], ours[1])
    close(user=ours[1], now=NOW)
    jobs.clear_what_is_left(NOW)
    assert not Member.objects.filter(user=ours[1]).exists()
    assert not Availability.objects.filter(user=ours[1]).exists()
    assert not LineUp.objects.exists()


@pytest.mark.parametrize("joining", ["open", "invited"])
def test_nobody_joins_a_team_whose_members_have_all_closed_their_accounts(
    alice: User, bob: User, joining: str
) -> None:
    """Or it would be theirs, who came in the second before the worker."""
    team = make_team(alice, joining=joining)
    if joining == "invited":
        services.invite(user=alice, team_id=team.public_id, username="bob", now=NOW)
    close(user=alice, now=NOW)
    with pytest.raises(Conflict, match="All members"):
        services.join(user=bob, team_id=team.public_id, now=NOW)

    run_tasks(GENERAL)
    assert fresh(team).disbanded_at == NOW
