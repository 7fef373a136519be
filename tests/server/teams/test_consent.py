"""Nobody is lined up for a match of teams, or becomes a member, who did not agree."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from crownhead.server.accounts.contacts.services import block
from crownhead.server.accounts.models import User
from crownhead.server.accounts.preferences.services import set_preferences
from crownhead.server.accounts.services.closing import close
from crownhead.server.core import clock
from crownhead.server.core.problems import Conflict, Forbidden, Unprocessable
from crownhead.server.notices.models import Notice
from crownhead.server.notices.selectors.reading import notices_of
from crownhead.server.play.models import Game
from crownhead.server.play.problems import NotWelcome
from crownhead.server.teams import services
from crownhead.server.teams.models import JoinRequest, LineUp, Side, Team, TeamMatch
from crownhead.server.teams.selectors import is_member
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


def line_up(match: TeamMatch, captain: User, *users: User) -> None:
    names = [user.username for user in users]
    services.line_up(user=captain, match_id=match.public_id, usernames=names, now=NOW)


def accepted() -> tuple[TeamMatch, list[User], list[User]]:
    home, ours = make_team_of("dogs", 3)
    away, theirs = make_team_of("cats", 3)
    return make_accepted_match(home, away, games_each=1), ours, theirs


def test_a_captain_lines_up_only_members_who_can_play() -> None:
    match, ours, theirs = accepted()
    with pytest.raises(Unprocessable, match="These players have not said that they can play: dogs-2"):
        line_up(match, ours[0], ours[0], ours[1])
    let_play(match, ours[1], theirs[1])
    line_up(match, ours[0], ours[0], ours[1])
    line_up(match, theirs[0], theirs[0], theirs[1])
    assert Game.objects.count() == 2


def test_members_are_asked_and_their_captain_is_notified_of_the_answer() -> None:
    match, ours, theirs = accepted()
    run_tasks("default")
    for member in (ours[1], theirs[2]):
        assert [notice.subject for notice in notices_of(member)] == ["dogs plays a match against cats"]
    let_play(match, ours[1])
    subjects = [notice.subject for notice in notices_of(ours[0])]
    assert "dogs-2 can play in the match between dogs and cats" in subjects


@pytest.mark.parametrize("leaves", [True, False])
def test_a_member_who_changes_their_mind_drops_out_of_the_line_up(leaves: bool) -> None:
    match, ours, theirs = accepted()
    let_play(match, ours[1], theirs[1])
    line_up(match, ours[0], ours[0], ours[1])
    if leaves:
        services.leave(user=ours[1], team_id=match.home.public_id, now=NOW)
    else:
        services.be_available(user=ours[1], match_id=match.public_id, available=False, now=NOW)
    assert not LineUp.objects.exists()
    line_up(match, theirs[0], theirs[0], theirs[1])
    assert not Game.objects.exists()


def test_others_have_no_say(alice: User) -> None:
    match, ours, _theirs = accepted()
    for user, side in ((alice, None), (ours[1], Side.AWAY)):
        with pytest.raises(Forbidden):
            services.be_available(user=user, match_id=match.public_id, available=True, side=side, now=NOW)
    services.withdraw(user=ours[0], match_id=match.public_id, now=NOW)
    with pytest.raises(Conflict):
        services.be_available(user=ours[1], match_id=match.public_id, available=True, now=NOW)


def test_a_team_does_not_invite_players_who_block_its_captain(alice: User, bob: User) -> None:
    team = make_team(alice)
    block(user=bob, other=alice, now=NOW)
    with pytest.raises(NotWelcome):
        services.invite(user=alice, team_id=team.public_id, username="bob", now=NOW)
    assert not JoinRequest.objects.exists()


@pytest.mark.parametrize("by", ["answer", "invite"])
def test_who_has_blocked_the_captain_since_asking_is_not_taken_in(alice: User, bob: User, by: str) -> None:
    team = make_team(alice, joining="ask")
    services.join(user=bob, team_id=team.public_id, now=NOW)
    block(user=bob, other=alice, now=NOW)
    asked: dict[str, Any] = {"user": alice, "team_id": team.public_id, "username": "bob", "now": NOW}
    with pytest.raises(NotWelcome, match="bob no longer wants to join Blue Dogs"):
        services.invite(**asked) if by == "invite" else services.answer(accepted=True, **asked)
    assert not is_member(bob.pk, team.public_id)
    services.answer(accepted=False, **asked)
    assert not JoinRequest.objects.exists()


@pytest.mark.parametrize("by", ["answer", "invite"])
def test_who_wants_no_invitations_is_taken_in_where_they_asked(alice: User, bob: User, by: str) -> None:
    team = make_team(alice, joining="ask")
    set_preferences(user=bob, changes={"invitations": "nobody"})
    services.join(user=bob, team_id=team.public_id, now=NOW)
    asked: dict[str, Any] = {"user": alice, "team_id": team.public_id, "username": "bob", "now": NOW}
    services.invite(**asked) if by == "invite" else services.answer(accepted=True, **asked)
    assert is_member(bob.pk, team.public_id)


def test_nobody_becomes_captain_unasked(alice: User, bob: User) -> None:
    team = make_team(alice)
    services.join(user=bob, team_id=team.public_id, now=NOW)
    services.hand_over(user=alice, team_id=team.public_id, username="bob")
    assert fresh(team).captain == alice
    assert [notice.subject for notice in notices_of(bob)] == [
        "You have been asked to become captain of Blue Dogs"
    ]
    services.answer_leading(user=bob, team_id=team.public_id, accepted=False)
    services.answer_leading(user=bob, team_id=team.public_id, accepted=True)
    assert fresh(team).captain == alice
    assert "bob does not want to become captain of Blue Dogs" in [
        notice.subject for notice in notices_of(alice)
    ]
    services.hand_over(user=alice, team_id=team.public_id, username="bob")
    services.leave(user=bob, team_id=team.public_id, now=NOW)
    assert fresh(team).successor is None


def test_asking_and_taking_back_again_and_again_is_notified_once_a_day(alice: User, bob: User) -> None:
    team = make_team(alice, joining="invited")
    for _ in range(5):
        services.invite(user=alice, team_id=team.public_id, username="bob", now=NOW)
        services.answer(user=alice, team_id=team.public_id, username="bob", accepted=False, now=NOW)
    assert Notice.objects.filter(user=bob).count() == 1
    assert list(notices_of(bob)) == []


def test_joining_and_leaving_again_and_again_is_notified_once_a_day(alice: User, bob: User) -> None:
    team = make_team(alice)
    for minute in range(5):
        with clock.stopped(NOW + timedelta(minutes=minute)):
            services.join(user=bob, team_id=team.public_id, now=clock.now())
            services.leave(user=bob, team_id=team.public_id, now=clock.now())
    assert [notice.subject for notice in notices_of(alice)] == ["bob left Blue Dogs"]


def test_a_team_that_declines_is_left_alone_for_a_day() -> None:
    home, ours = make_team_of("dogs", 2)
    away, theirs = make_team_of("cats", 2)
    for number in range(5):
        match = make_proposed_match(home, away)
        if number % 2:
            services.withdraw(user=ours[0], match_id=match.public_id, now=NOW)
        else:
            services.answer_match(user=theirs[0], match_id=match.public_id, accepted=False, now=NOW)
    with pytest.raises(Conflict, match="enough matches"):
        make_proposed_match(home, away)


@pytest.mark.parametrize("closes", [False, True])
def test_a_captain_who_leaves_the_team_drops_out_of_the_line_up(closes: bool) -> None:
    match, ours, theirs = accepted()
    captain, team_id = ours[0], match.home.public_id
    let_play(match, theirs[1])
    let_play(match, ours[1])
    line_up(match, captain, captain, ours[1])
    if closes:
        close(user=captain, now=NOW)
    else:
        services.hand_over(user=captain, team_id=team_id, username=ours[1].username)
        services.answer_leading(user=ours[1], team_id=team_id, accepted=True)
        services.leave(user=captain, team_id=team_id, now=NOW)
    line_up(match, theirs[0], theirs[0], theirs[1])
    assert not Game.objects.exists()


# ------------------------------------------------------------------------------- proposals after a block


def test_a_match_is_not_proposed_to_a_captain_who_has_blocked_the_other() -> None:
    (home, ours), (away, theirs) = make_team_of("dogs", 2), make_team_of("cats", 2)
    block(user=theirs[0], other=ours[0], now=NOW)
    with pytest.raises(NotWelcome):
        make_proposed_match(home, away)
    browser = Client()
    browser.force_login(ours[0])
    terms = {"home": home.public_id, "boards": "1", "games_each": "1", "variant": "american"}
    answer = browser.post(f"/teams/{away.public_id}/challenge/", terms)
    assert "does not accept invitations from you" in answer.content.decode()


def test_who_leads_both_teams_and_wants_no_invitations_may_have_them_play() -> None:
    (home, ours), (away, _theirs) = make_team_of("dogs", 2), make_team_of("cats", 2)
    services.join(user=ours[0], team_id=away.public_id, now=NOW)
    Team.objects.filter(pk=away.pk).update(captain=ours[0])
    set_preferences(user=ours[0], changes={"invitations": "nobody"})
    assert make_proposed_match(fresh(home), fresh(away)).status == "proposed"


def test_proposals_of_somebody_blocked_since_are_hidden_with_their_words() -> None:
    (home, ours), (away, theirs) = make_team_of("dogs", 2), make_team_of("cats", 2)
    match = make_proposed_match(home, away, message="You will lose.")
    team = f"/teams/{away.public_id}"

    def shown(user: User) -> list[bool]:
        browser = Client()
        browser.force_login(user)
        pages = [browser.get(path).content.decode() for path in (f"{team}/", "/teams/?name=cats")]
        api = json.loads(Api().as_(user).get(f"{team}/matches").content)
        words = browser.get(f"/team-matches/{match.public_id}/").content.decode()
        return [*(match.public_id in page for page in pages), bool(api), "You will lose." in words]

    assert shown(theirs[0]) == [True, True, True, True]
    block(user=theirs[0], other=ours[0], now=NOW)
    assert shown(theirs[0]) == [False, False, False, False]
    assert shown(ours[1]) == [True, False, True, True]
    services.answer_match(user=theirs[0], match_id=match.public_id, accepted=True, now=NOW)
    assert shown(theirs[0]) == [True, True, True, False]
