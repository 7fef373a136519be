"""A director does not invite the same member over and over, nor leave them what nobody can accept."""

from __future__ import annotations

from datetime import timedelta

import pytest
from pytest_django import Settings

from crownhead.server.accounts.models import User
from crownhead.server.competitions import services
from crownhead.server.competitions.models import Director, Invitation, Tournament
from crownhead.server.core import clock
from crownhead.server.core.problems import TooMany
from crownhead.server.notices.models import Notice
from crownhead.server.teams import services as team_services
from tests.server.competitions.factories import enter_players, fresh, invite_substitute, make_tournament
from tests.server.competitions.test_told_starts import edit
from tests.server.conftest import make_user
from tests.server.play.factories import NOW
from tests.server.teams.factories import make_team

pytestmark = pytest.mark.django_db

DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)


def invite(tournament: Tournament, *names: str) -> None:
    services.invite(
        user=tournament.host, tournament_id=tournament.public_id, usernames=names, now=clock.now()
    )


def ask_to_direct(tournament: Tournament, *names: str) -> None:
    services.set_directors(user=tournament.host, tournament_id=tournament.public_id, usernames=names, now=NOW)


def standing(user: User) -> list[str]:
    """What the notifications say that were not withdrawn."""
    rows = Notice.objects.filter(user=user, kind="invited", withdrawn_at=None)
    return list(rows.order_by("pk").values_list("subject", flat=True))


@pytest.mark.parametrize("by", ["edit", "extend"])
def test_of_a_start_that_is_moved_again_and_again_only_the_last_stands_unread(alice: User, by: str) -> None:
    tournament = make_tournament(alice, start="date", starts_at=NOW + 3 * DAY, max_players=8)
    player = enter_players(tournament, 3)[0]

    def move(minutes: int) -> None:
        now, later = NOW + minutes * MINUTE, NOW + 3 * DAY + minutes * MINUTE
        if by == "edit":
            edit(fresh(tournament), now=now, starts_at=later)
            return
        with clock.stopped(now):
            services.extend(
                user=alice, tournament_id=tournament.public_id, until=later, reason="Late.", now=now
            )

    for minutes in range(1, 11):
        move(minutes)
    moved = Notice.objects.filter(user=player, subject__contains="moved")
    assert [notice.text[:40] for notice in moved.filter(withdrawn_at=None)] == [moved.latest("pk").text[:40]]
    with pytest.raises(TooMany, match=r"moved 10 times a day\. Try again in 24 hours"):
        move(11)
    edit(fresh(tournament), about="Bring cake.")
    moved.update(read_at=NOW)
    move(24 * 60 + 2)
    assert moved.filter(withdrawn_at=None).count() == 2


def test_nobody_is_invited_as_a_substitute_for_one_after_the_other(
    alice: User, bob: User, settings: Settings
) -> None:
    settings.LIMITS = settings.LIMITS | {"repeated_invitations": "2/d"}
    tournament = make_tournament(alice, max_players=8)
    players = enter_players(tournament, 3)
    for player in players[:2]:
        invite_substitute(tournament, player, bob, now=clock.now())
    with pytest.raises(TooMany, match=r"You have invited bob often enough for today\."):
        invite_substitute(tournament, players[2], bob, now=clock.now())
    assert Notice.objects.filter(user=bob).count() == 2


def test_invitations_to_teams_and_tournaments_and_to_direct_them_count_together(
    alice: User, bob: User, settings: Settings
) -> None:
    settings.LIMITS = settings.LIMITS | {"repeated_invitations": "3/d"}
    tournament = make_tournament(alice)
    invite(tournament, "bob")
    ask_to_direct(tournament, "bob")
    team_services.invite(user=alice, team_id=make_team(alice).public_id, username="bob", now=NOW)
    for ask in (invite, ask_to_direct):
        with pytest.raises(TooMany):
            ask(make_tournament(alice), "bob")
    assert Director.objects.count() == Invitation.objects.count() == 1


def test_of_several_none_is_counted_where_one_was_invited_often(
    alice: User, bob: User, charlie: User, settings: Settings
) -> None:
    settings.LIMITS = settings.LIMITS | {"repeated_invitations": "1/d"}
    invite(make_tournament(alice), "bob")
    another = make_tournament(alice)
    with pytest.raises(TooMany, match="bob"):
        invite(another, "charlie", "bob")
    invite(another, "charlie")
    assert Invitation.objects.filter(tournament=another).get().user == charlie


def test_the_staff_invite_the_same_member_any_number_of_times(bob: User, settings: Settings) -> None:
    settings.LIMITS = settings.LIMITS | {"repeated_invitations": "1/d"}
    staff = make_user("staff", is_staff=True)
    for _ in range(3):
        invite(make_tournament(staff), "bob")
    assert len(standing(bob)) == 3


def test_of_invitations_to_one_tournament_only_the_last_stands(alice: User, bob: User) -> None:
    tournament = make_tournament(alice, max_players=8, name="Cup")
    first, second = enter_players(tournament, 2)
    for minute, player in enumerate([first, second, first]):
        with clock.stopped(NOW + minute * MINUTE):
            invite_substitute(tournament, player, bob, now=clock.now())
        assert standing(bob) == [f"alice invites you to take {player.username}'s place in Cup"]
    with clock.stopped(NOW + 3 * MINUTE):
        invite(tournament, "bob")
    assert standing(bob) == ["alice invites you to the tournament Cup"]


def test_a_cancelled_tournament_invites_nobody_any_more(alice: User, bob: User, charlie: User) -> None:
    tournament, another = make_tournament(alice), make_tournament(alice, name="Another")
    invite(tournament, "bob")
    ask_to_direct(tournament, "charlie")
    invite(another, "bob")
    services.cancel(user=alice, tournament_id=tournament.public_id, reason="Rain.", now=NOW)
    assert standing(bob) == ["alice invites you to the tournament Another"]
    assert standing(charlie) == []
