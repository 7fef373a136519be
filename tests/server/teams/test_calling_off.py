"""Proposals end somewhere: a team gets so many, they expire, and the end of a team holds nobody up."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
from django.test import Client
from django_tasks_db.models import DBTaskResult

from crownhead.server.accounts.contacts.services import block
from crownhead.server.accounts.models import User
from crownhead.server.accounts.services.closing import close as close_account
from crownhead.server.core.moments import moment_text
from crownhead.server.core.problems import Conflict, Unprocessable
from crownhead.server.notices.models import Notice
from crownhead.server.play.problems import NotWelcome
from crownhead.server.teams import jobs, services
from crownhead.server.teams.access.matches import EXPIRES
from crownhead.server.teams.models import Availability, LineUp, Team, TeamMatch
from crownhead.server.teams.selectors.matches import matches_waiting_for
from crownhead.server.teams.services import calling_off
from crownhead.server.teams.services import matches as match_services
from tests.server.conftest import make_user
from tests.server.play.factories import NOW
from tests.server.tasks import close_for_good, run_tasks
from tests.server.teams.factories import (
    fresh,
    let_play,
    make_accepted_match,
    make_proposed_match,
    make_team,
    make_team_of,
)
from tests.server.test_query_bounds import counted

pytestmark = pytest.mark.django_db


def proposals_to(away: Team, count: int) -> list[TeamMatch]:
    """Proposals to a team, by five from each of several teams."""
    homes = [
        make_team(make_user(f"from-{away.pk}-{number}"), f"From {away.pk} {number}")
        for number in range(0, count, 5)
    ]
    return [make_proposed_match(homes[number // 5], away, boards=1) for number in range(count)]


def states(rows: list[TeamMatch]) -> list[str]:
    return [TeamMatch.objects.get(pk=match.pk).status for match in rows]


def shown(match: TeamMatch) -> str:
    return Client().get(f"/team-matches/{match.public_id}/").content.decode()


def subjects(user: User) -> list[str]:
    return list(Notice.objects.filter(user=user).order_by("pk").values_list("subject", flat=True))


def test_a_team_has_so_many_proposals_to_answer(alice: User) -> None:
    away = make_team(alice)
    first, *_others = proposals_to(away, match_services.MAX_RECEIVED)
    another = make_team(make_user("another"), "Another")
    with pytest.raises(Conflict, match="Blue Dogs already has 20 proposals to answer"):
        make_proposed_match(another, away, boards=1)
    services.answer_match(user=alice, match_id=first.public_id, accepted=False, now=NOW)
    make_proposed_match(another, away, boards=1)


def declines(user: User, rows: list[TeamMatch]) -> None:
    for match in rows:
        services.answer_match(user=user, match_id=match.public_id, accepted=False, now=NOW)


def blocks(user: User, rows: list[TeamMatch]) -> None:
    block(user=user, other=rows[0].home.captain, now=NOW)


@pytest.mark.parametrize("act", [declines, blocks])
def test_a_captain_whom_others_flood_with_proposals_makes_room_at_once_by_declining_or_blocking(
    alice: User, act: Callable[[User, list[TeamMatch]], None]
) -> None:
    away = make_team(alice)
    theirs = proposals_to(away, match_services.MAX_RECEIVED)[: match_services.MAX_REFUSED]
    another, third = (make_team(make_user(f"captain{number}"), f"Team {number}") for number in range(2, 4))
    with pytest.raises(Conflict, match="already has 20 proposals"):
        make_proposed_match(another, away, boards=1)
    act(alice, theirs)
    with pytest.raises((Conflict, NotWelcome)):  # who flooded them gets none of that room
        make_proposed_match(theirs[0].home, away, boards=1)
    made = [make_proposed_match(another, away, boards=1) for _ in theirs]
    with pytest.raises(Conflict, match="already has 20 proposals"):
        make_proposed_match(third, away, boards=1)
    waiting = matches_waiting_for(alice.pk)
    assert len(waiting) == match_services.MAX_RECEIVED
    assert set(made) < set(waiting)


def test_proposals_of_a_disbanded_team_that_are_still_to_be_called_off_use_up_no_room(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = make_team(alice)
    first, *_others = proposals_to(away, match_services.MAX_RECEIVED)
    monkeypatch.setattr(calling_off, "call_off_first", lambda *_args, **_facts: None)
    services.disband(user=first.home.captain, team_id=first.home.public_id, now=NOW)
    assert states([first]) == ["proposed"]
    make_proposed_match(make_team(make_user("another"), "Another"), away, boards=1)


def test_a_proposal_without_an_answer_expires_after_two_weeks() -> None:
    (home, ours), (away, theirs) = make_team_of("dogs", 1), make_team_of("cats", 1)
    match, accepted = (make(home, away, boards=1) for make in (make_proposed_match, make_accepted_match))
    Notice.objects.exclude(about__contains=match.public_id).delete()
    for _ in range(2):
        jobs.expire_proposals(NOW + EXPIRES - timedelta(minutes=1))
    assert states([match, accepted]) == ["proposed", "lining_up"]
    for _ in range(2):
        jobs.expire_proposals(NOW + EXPIRES)
    assert states([match, accepted]) == ["withdrawn", "lining_up"]
    assert subjects(ours[0]) == [
        "cats did not answer the match against dogs in time, so the proposal expired"
    ]
    assert subjects(theirs[0]) == ["dogs proposes a match to cats"]
    assert not Notice.objects.filter(user=theirs[0], read_at=None).exists()
    assert match not in matches_waiting_for(theirs[0].pk)
    assert "cats did not answer in time, so this proposal expired." in shown(match)
    with pytest.raises(Conflict):
        services.answer_match(user=theirs[0], match_id=match.public_id, accepted=True, now=NOW)


def test_a_match_says_until_when_it_waits_for_an_answer_and_who_called_it_off() -> None:
    (home, ours), (away, _theirs) = make_team_of("dogs", 1), make_team_of("cats", 1)
    match = make_proposed_match(home, away, boards=1)
    assert f"Without an answer the proposal expires on {moment_text(NOW + EXPIRES)}." in shown(match)
    services.withdraw(user=ours[0], match_id=match.public_id, now=NOW)
    assert "This match was cancelled." in shown(match)


def test_the_end_of_a_team_costs_the_same_however_many_matches_are_proposed_to_it() -> None:
    found = []
    for count in (calling_off.MAX_AT_ONCE + 1, match_services.MAX_RECEIVED):
        captain = make_user(f"captain{count}")
        team = make_team(captain, f"Dogs {count}")
        rows = proposals_to(team, count)
        with counted() as statements:
            services.disband(user=captain, team_id=team.public_id, now=NOW)
        found.append(len(statements))
        left = count - calling_off.MAX_AT_ONCE
        assert states(rows) == ["declined"] * calling_off.MAX_AT_ONCE + ["proposed"] * left
        assert fresh(team).disbanded_at == NOW
        run_tasks("default")
        assert set(states(rows)) == {"declined"}
        declined = Notice.objects.filter(subject__startswith=f"Dogs {count} declined the match")
        assert declined.count() == count
    assert found[0] == found[1]


@pytest.mark.parametrize("at_home", [True, False])
def test_nothing_goes_on_in_a_match_of_a_disbanded_team_that_is_still_to_be_called_off(
    at_home: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    (dogs, ours), (cats, theirs) = make_team_of("dogs", 2), make_team_of("cats", 2)
    gone, captain, other = (dogs, ours[0], theirs[0]) if at_home else (cats, theirs[0], ours[0])
    proposed, accepted = make_proposed_match(dogs, cats), make_accepted_match(dogs, cats)
    let_play(accepted, *ours, *theirs)
    monkeypatch.setattr(calling_off, "call_off_first", lambda *_args, **_facts: None)
    services.disband(user=captain, team_id=gone.public_id, now=NOW)
    assert states([proposed, accepted]) == ["proposed", "lining_up"]
    with pytest.raises(Conflict, match="was disbanded"):
        services.answer_match(user=theirs[0], match_id=proposed.public_id, accepted=True, now=NOW)
    line_up = partial(services.line_up, match_id=accepted.public_id, now=NOW)
    with pytest.raises(Unprocessable, match="Not in your team"):
        line_up(user=captain, usernames=[user.username for user in (ours if at_home else theirs)])
    line_up(user=other, usernames=[user.username for user in (theirs if at_home else ours)])
    assert states([proposed, accepted]) == ["proposed", "lining_up"]
    assert not matches_waiting_for(theirs[0].pk)
    run_tasks("default")
    assert states([proposed, accepted]) == ["withdrawn" if at_home else "declined", "withdrawn"]


def test_matches_of_a_disbanded_team_are_called_off_also_if_the_task_was_lost(alice: User) -> None:
    team, other = make_team(alice), make_team(make_user("other"), "Red Cats")
    rows = proposals_to(team, calling_off.MAX_AT_ONCE + 3)
    stays = make_proposed_match(other, make_team(alice, "Blue Cats"), boards=1)
    services.disband(user=alice, team_id=team.public_id, now=NOW)
    DBTaskResult.objects.all().delete()
    for _ in range(2):
        jobs.clear_what_is_left(NOW)
        assert set(states(rows)) == {"declined"}
    assert states([stays]) == ["proposed"]
    calling_off.call_off_rest(team_id=team.public_id, by_id=alice.pk, now=NOW)
    assert Notice.objects.filter(subject__contains="declined the match").count() == len(rows)


def leaves(user: User, team: Team) -> None:
    services.leave(user=user, team_id=team.public_id, now=NOW)


def closes(user: User, _team: Team) -> None:
    close_for_good(user, NOW)


@pytest.mark.parametrize("act", [leaves, closes])
def test_a_member_who_leaves_costs_the_same_however_many_matches_are_proposed(
    act: Callable[[User, Team], None],
) -> None:
    found = []
    for count in (1, match_services.MAX_RECEIVED):
        team, (_captain, user) = make_team_of(f"dogs{count}", 2)
        rows = proposals_to(team, count)
        let_play(rows[0], user)
        with counted() as statements:
            act(user, team)
        found.append(len(statements))
        assert not Availability.objects.exists()
    assert found[0] == found[1]


def test_who_leaves_one_team_still_plays_for_the_other() -> None:
    (dogs, ours), (cats, _theirs), (birds, _others) = (
        make_team_of(name, 2) for name in ("dogs", "cats", "birds")
    )
    services.join(user=ours[1], team_id=birds.public_id, now=NOW)
    here, there = make_accepted_match(dogs, cats), make_accepted_match(cats, birds)
    for match in (here, there):
        let_play(match, *ours)
    names = [user.username for user in ours]
    services.line_up(user=ours[0], match_id=here.public_id, usernames=names, now=NOW)
    services.leave(user=ours[1], team_id=dogs.public_id, now=NOW)
    assert list(Availability.objects.filter(user=ours[1]).values_list("match", "side")) == [
        (there.pk, "away")
    ]
    assert not LineUp.objects.exists()


def test_closing_the_account_of_a_captain_costs_the_same_however_many_matches_are_proposed() -> None:
    found = []
    for count in (1, match_services.MAX_RECEIVED):
        captain = make_user(f"captain{count}")
        teams = [make_team(captain, f"Dogs {count} {number}") for number in range(2)]
        rows = [match for team in teams for match in proposals_to(team, count)]
        with counted() as statements:
            close_account(user=captain, now=NOW)
        found.append(len(statements))
        assert set(states(rows)) == {"proposed"}
        run_tasks("default")
        assert all(fresh(team).disbanded_at == NOW for team in teams)
        assert set(states(rows)) == {"declined"}
    assert found[0] == found[1]
