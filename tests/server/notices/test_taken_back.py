"""The words of invitations and requests that were taken back are neither shown nor sent nor kept."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core import mail

from crownhead.server.accounts.contacts.services import block
from crownhead.server.accounts.models import User
from crownhead.server.accounts.services.closing import close
from crownhead.server.core import clock, exports
from crownhead.server.notices.kinds import Channel, Kind, Timing
from crownhead.server.notices.models import Notice
from crownhead.server.notices.selectors.reading import unread_count
from crownhead.server.play.games import services as games
from crownhead.server.play.games.options import GameOptions
from crownhead.server.play.invitations import services as invitations
from crownhead.server.teams import jobs as team_jobs
from crownhead.server.teams import services as teams
from crownhead.server.teams.models import Team
from tests.server.conftest import make_user
from tests.server.notices.factories import DAY, HOUR, letters, set_timing, subjects
from tests.server.play.factories import NOW
from tests.server.teams.factories import make_team

pytestmark = pytest.mark.django_db

SECRET = "words that somebody took back"


@pytest.fixture
def team(alice: User) -> Team:
    """A team that Alice leads and Bob may ask to join."""
    return make_team(alice, joining="ask")


def invite(team: Team, words: str = SECRET, *, at: timedelta = timedelta(0)) -> None:
    with clock.stopped(NOW + at):
        teams.invite(user=team.captain, team_id=team.public_id, username="bob", message=words, now=NOW + at)


def call_back(team: Team, *, at: timedelta = timedelta(0)) -> None:
    with clock.stopped(NOW + at):
        teams.answer(user=team.captain, team_id=team.public_id, username="bob", accepted=False, now=NOW + at)


def ask(team: Team, bob: User, words: str = SECRET) -> None:
    teams.join(user=bob, team_id=team.public_id, message=words, now=NOW)


def take_back(team: Team, bob: User) -> None:
    teams.decline(user=bob, team_id=team.public_id)


def expect_forgotten(user: User) -> None:
    notice = Notice.objects.get(user=user)
    assert (notice.subject, notice.text, notice.withdrawn_at is None) == ("", "", False)
    assert subjects(user) == []
    assert unread_count(user) == 0
    archive = [piece for name in exports.parts() for piece in exports.pieces(name, user)]
    assert not [piece for piece in archive if SECRET.encode() in piece]
    assert letters(NOW + DAY) == []


def test_a_team_invitation_that_is_withdrawn_is_forgotten_with_its_words(team: Team, bob: User) -> None:
    set_timing(bob, Kind.TEAM, Channel.MAIL, Timing.NOW)
    invite(team)
    assert Notice.objects.get(user=bob).text == SECRET
    call_back(team)
    expect_forgotten(bob)


def test_a_join_request_that_is_taken_back_is_forgotten_with_its_words(
    team: Team, alice: User, bob: User
) -> None:
    set_timing(alice, Kind.TEAM, Channel.MAIL, Timing.NOW)
    ask(team, bob)
    assert Notice.objects.get(user=alice).text == SECRET
    take_back(team, bob)
    expect_forgotten(alice)


def test_what_a_closed_account_wrote_to_join_is_forgotten_with_its_words(
    team: Team, alice: User, bob: User
) -> None:
    set_timing(alice, Kind.TEAM, Channel.MAIL, Timing.NOW)
    ask(team, bob)
    close(user=bob, now=NOW)
    team_jobs.clear_what_is_left(NOW)
    expect_forgotten(alice)


def test_the_words_of_join_requests_go_with_the_team(team: Team, alice: User, bob: User) -> None:
    ask(team, bob)
    teams.disband(user=alice, team_id=team.public_id, now=NOW)
    team_jobs.clear_what_is_left(NOW)
    expect_forgotten(alice)


def test_a_join_request_is_forgotten_also_where_another_leads_the_team_by_now(
    team: Team, alice: User, bob: User, charlie: User
) -> None:
    ask(team, bob)
    Team.objects.filter(pk=team.pk).update(captain=charlie)
    take_back(team, bob)
    assert Notice.objects.get(user=alice).text == ""


def test_a_game_invitation_that_is_withdrawn_is_forgotten_with_its_words(alice: User, bob: User) -> None:
    terms = GameOptions(variant="american", colour="first", days_per_move=3)
    game = invitations.invite(creator=alice, opponent="bob", options=terms, message=SECRET, site="", now=NOW)
    assert SECRET in Notice.objects.get(user=bob).text
    games.withdraw_waiting(user=alice, game_id=game.public_id, now=NOW)
    expect_forgotten(bob)


def test_what_others_wrote_to_the_team_or_to_other_players_stays(
    team: Team, alice: User, bob: User, charlie: User
) -> None:
    teams.invite(user=alice, team_id=team.public_id, username="charlie", message="Come!", now=NOW)
    ask(team, make_user("dora"), "Let me in")
    ask(team, bob)
    take_back(team, bob)
    invite(team)
    call_back(team)
    told = Notice.objects.filter(withdrawn_at=None).order_by("pk")
    assert [notice.text for notice in told] == ["Come!", "Let me in"]


@pytest.mark.parametrize("answer", [teams.decline, None])
def test_an_invitation_that_was_answered_is_no_less_told(
    team: Team, bob: User, answer: Callable[..., None] | None
) -> None:
    invite(team, "Come!")
    if answer is None:
        teams.join(user=bob, team_id=team.public_id, now=NOW)
    else:
        answer(user=bob, team_id=team.public_id)
    notice = Notice.objects.get(user=bob)
    assert (notice.text, notice.withdrawn_at, notice.read_at is None) == ("Come!", None, False)


def test_who_is_invited_again_the_same_day_reads_the_new_words(team: Team, bob: User) -> None:
    set_timing(bob, Kind.TEAM, Channel.MAIL, Timing.NOW)
    invite(team)
    call_back(team)
    assert letters(NOW + HOUR) == []
    invite(team, "Come after all!", at=2 * HOUR)
    (notice,) = Notice.objects.filter(user=bob)
    assert (notice.text, notice.withdrawn_at, notice.read_at) == ("Come after all!", None, None)
    assert subjects(bob) == ["alice invites you to join the team Blue Dogs"]
    assert letters(NOW + 3 * HOUR) == ["bob: [Crownhead] alice invites you to join the team Blue Dogs"]
    assert "Come after all!" in str(mail.outbox[-1].body)
    assert SECRET not in str(mail.outbox[-1].body)


def test_inviting_again_and_again_sends_one_letter_a_day(team: Team, bob: User) -> None:
    set_timing(bob, Kind.TEAM, Channel.MAIL, Timing.NOW)
    sent: list[str] = []
    for number in range(3):
        invite(team, at=number * HOUR)
        sent += letters(NOW + (number + 0.5) * HOUR)
        call_back(team, at=(number + 0.7) * HOUR)
    assert len(sent) == 1


def test_who_has_blocked_the_captain_since_is_not_told_again(
    team: Team, alice: User, bob: User, charlie: User
) -> None:
    ask(team, bob)
    take_back(team, bob)
    block(user=alice, other=bob, now=NOW)
    ask(team, bob)
    assert subjects(alice) == []
    assert Notice.objects.get(user=alice).text == ""
