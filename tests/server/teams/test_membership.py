"""Founding a team, joining and leaving it, and who may do what."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from crownhead.server.accounts.contacts import services as contact_services
from crownhead.server.accounts.models import User
from crownhead.server.core.events import on
from crownhead.server.core.problems import Conflict, Forbidden, NotFound, Unprocessable
from crownhead.server.teams import events, selectors, services
from crownhead.server.teams.models import JoinRequest, Member, Post, Team
from crownhead.server.teams.services import clearing, founding
from tests.server.conftest import make_user
from tests.server.play.factories import DAY, NOW
from tests.server.tasks import close_for_good
from tests.server.teams.factories import fresh, make_team, make_team_of

pytestmark = pytest.mark.django_db


def names(team: Team) -> list[str]:
    return [member.user.username for member in selectors.members(team)]


def test_the_founder_leads_the_team(alice: User) -> None:
    team = make_team(alice)
    assert names(team) == ["alice"]
    assert fresh(team).size == 1
    assert selectors.is_captain(alice, team)


@pytest.mark.parametrize(
    "name",
    [
        "Blue Dogs",
        "blue dogs",
        "BlueDogs",
        "B1ue D0gs",
        "Вlue Dоgs",
        "𝖡𝗅𝗎𝖾 𝖣𝗈𝗀𝗌",
        "Ｂｌｕｅ Ｄｏｇｓ",
        "BIue Dogs",
        "Bıue Dogs",
        "Bʟue Døgs",
        "Blue Dogsʼ",
        "Blueʹ Dogsꞏ",
    ],
)
def test_a_name_that_looks_like_anothers_is_taken(alice: User, bob: User, name: str) -> None:
    make_team(alice, "Blue Dogs")
    with pytest.raises(Conflict, match="already taken"):
        make_team(bob, name)


@pytest.mark.parametrize("name", ["Вlue Dⲟgs", "Dⲟgs", "Dog𐐮s"])
def test_a_word_of_our_letters_has_none_that_only_look_so(alice: User, name: str) -> None:
    with pytest.raises(Unprocessable, match="letters of one alphabet"):
        make_team(alice, name)


@pytest.mark.parametrize("name", ["Goチーム", "Łódź Dámy", "Ѕtars", "Шашки Moskva", "Ⲁⲃⲅ", "Σκάκι", "Dam 2ª"])
def test_a_team_is_called_in_any_alphabet(alice: User, name: str) -> None:
    assert make_team(alice, name).name == name


@pytest.mark.parametrize(
    "name",
    [
        "Moderators",
        "Club Staff",
        "The Official Support",
        "5taff of Crownhead",
        "Моderators",
        "Ｓｔáｆｆ",
        "S t a f f",
    ],
)
def test_a_team_of_members_does_not_speak_for_the_staff(alice: User, name: str) -> None:
    with pytest.raises(Unprocessable, match="could be taken for the staff's"):
        make_team(alice, name)
    User.objects.filter(pk=alice.pk).update(is_staff=True)
    team = make_team(User.objects.get(pk=alice.pk), name)
    services.edit_team(
        user=alice, team_id=team.public_id, name=name, about_text="Us", joining="open", now=NOW
    )


@pytest.mark.parametrize("name", ["Crownhead Reserves", "Supporters of Modena", "Falstaff and friends"])
def test_other_names_are_nobodys(alice: User, name: str) -> None:
    make_team(alice, name)


@pytest.mark.parametrize("name", ["", "ab", "-dogs", "x" * 41, "dogs <b>", "a\u202eb dogs"])
def test_a_name_that_no_team_may_have_is_refused(alice: User, name: str) -> None:
    with pytest.raises(Unprocessable, match="name: Use 3 to 40"):
        make_team(alice, name)


@pytest.mark.parametrize("letter", "ẞŉﬃ")
def test_a_name_that_folding_makes_longer_fits_the_database(alice: User, letter: str) -> None:
    make_team(alice, name=letter * 40).clean_fields()


def test_a_team_keeps_a_name_that_would_be_refused_today(alice: User) -> None:
    team = make_team(alice)
    Team.objects.filter(pk=team.pk).update(name="Спартак-Citу", likeness="spartak")  # У of two alphabets
    services.edit_team(
        user=alice,
        team_id=team.public_id,
        name="Спартак-Citу",
        about_text="We play.",
        joining="open",
        now=NOW,
    )
    assert (fresh(team).about, fresh(team).likeness) == ("We play.", "spartak")


def test_the_parts_of_a_name_may_be_in_alphabets_of_their_own(alice: User) -> None:
    assert make_team(alice, name="Київ-Dynamo").name == "Київ-Dynamo"


def test_the_name_of_a_disbanded_team_is_free_again(alice: User, bob: User) -> None:
    team = make_team(alice)
    services.disband(user=alice, team_id=team.public_id, now=NOW)
    assert make_team(bob).captain == bob
    with pytest.raises(NotFound):
        services.join(user=bob, team_id=team.public_id, now=NOW)


def test_nobody_leads_more_than_five_teams(alice: User) -> None:
    for number in range(5):
        make_team(alice, f"Team {number + 2}")
    with pytest.raises(Conflict, match="Hand one over"):
        make_team(alice, "One more")


def test_anyone_joins_an_open_team_once(alice: User, bob: User) -> None:
    team = make_team(alice, joining="open")
    assert services.join(user=bob, team_id=team.public_id, now=NOW)
    assert services.join(user=bob, team_id=team.public_id, now=NOW)
    assert names(team) == ["alice", "bob"]
    assert fresh(team).size == 2


def test_whom_the_captain_has_blocked_only_asks_to_join_an_open_team(alice: User, bob: User) -> None:
    team = make_team(alice, joining="open")
    services.join(user=bob, team_id=team.public_id, now=NOW)
    contact_services.block(user=alice, other=bob, now=NOW)
    services.remove(user=alice, team_id=team.public_id, username="bob")
    for _ in range(2):
        assert not services.join(user=bob, team_id=team.public_id, now=NOW)
    assert names(team) == ["alice"]
    assert list(selectors.join_requests(alice, team)) == []
    contact_services.unblock(user=alice, other=bob)
    services.answer(user=alice, team_id=team.public_id, username="bob", accepted=True, now=NOW)
    assert names(team) == ["alice", "bob"]


@pytest.mark.parametrize("blocker", ["the captain", "a later captain", "the player"])
def test_an_invitation_counts_no_more_once_one_of_the_two_has_blocked_the_other(
    alice: User, bob: User, charlie: User, blocker: str
) -> None:
    team = make_team(alice, joining="invited")
    services.invite(user=alice, team_id=team.public_id, username="bob", now=NOW)
    one, other = {"the player": (bob, alice), "the captain": (alice, bob)}.get(blocker, (charlie, bob))
    if blocker == "a later captain":
        Team.objects.filter(pk=team.pk).update(captain=charlie)
    contact_services.block(user=one, other=other, now=NOW + DAY)

    assert not selectors.my_invitations(bob)
    assert selectors.join_request_of(bob, team) is None
    with pytest.raises(Forbidden, match="by invitation only"):
        services.join(user=bob, team_id=team.public_id, now=NOW + DAY)
    assert "bob" not in names(team)

    contact_services.unblock(user=one, other=other)
    assert services.join(user=bob, team_id=team.public_id, now=NOW + 2 * DAY)


@pytest.mark.parametrize("days", [-1, 1])
def test_an_invitation_counts_no_more_under_a_captain_who_blocks_the_player_whenever_that_began(
    alice: User, bob: User, charlie: User, days: int
) -> None:
    team = make_team(alice, joining="invited")
    services.invite(user=alice, team_id=team.public_id, username="bob", now=NOW)
    contact_services.block(user=charlie, other=bob, now=NOW + days * DAY)
    assert selectors.my_invitations(bob)
    Team.objects.filter(pk=team.pk).update(captain=charlie)
    assert not selectors.my_invitations(bob)
    with pytest.raises(Forbidden, match="by invitation only"):
        services.join(user=bob, team_id=team.public_id, now=NOW + 2 * DAY)

    services.invite(user=charlie, team_id=team.public_id, username="bob", now=NOW + 2 * DAY)
    assert services.join(user=bob, team_id=team.public_id, now=NOW + 3 * DAY)


def test_an_invitation_to_an_open_team_does_not_let_in_whom_the_captain_has_blocked_since(
    alice: User, bob: User
) -> None:
    team = make_team(alice, joining="open")
    services.invite(user=alice, team_id=team.public_id, username="bob", message="Come", now=NOW)
    contact_services.block(user=alice, other=bob, now=NOW + DAY)
    assert not services.join(user=bob, team_id=team.public_id, now=NOW + DAY)
    assert [row.kind for row in JoinRequest.objects.all()] == ["asked"]


def test_who_is_invited_again_in_spite_of_a_block_joins(alice: User, bob: User) -> None:
    team = make_team(alice, joining="invited")
    for days in (0, 2):
        services.invite(user=alice, team_id=team.public_id, username="bob", now=NOW + days * DAY)
        contact_services.block(user=alice, other=bob, now=NOW + DAY)
    assert services.join(user=bob, team_id=team.public_id, now=NOW + 3 * DAY)


def test_a_captain_answers_those_who_ask(alice: User, bob: User, charlie: User) -> None:
    team = make_team(alice, joining="ask")
    assert not services.join(user=bob, team_id=team.public_id, message="Hello", now=NOW)
    assert not services.join(user=charlie, team_id=team.public_id, now=NOW)
    assert [join_request.message for join_request in selectors.join_requests(alice, team)] == ["Hello", ""]
    services.answer(user=alice, team_id=team.public_id, username="bob", accepted=True, now=NOW)
    services.answer(user=alice, team_id=team.public_id, username="charlie", accepted=False, now=NOW)
    assert names(team) == ["alice", "bob"]
    assert not JoinRequest.objects.exists()


def test_a_closed_team_takes_in_only_whom_it_invites(alice: User, bob: User) -> None:
    team = make_team(alice, joining="invited")
    with pytest.raises(Forbidden, match="by invitation only"):
        services.join(user=bob, team_id=team.public_id, now=NOW)
    services.invite(user=alice, team_id=team.public_id, username="Bob", message="Come", now=NOW)
    assert [join_request.team for join_request in selectors.my_invitations(bob)] == [team]
    assert services.join(user=bob, team_id=team.public_id, now=NOW)


def test_an_invitation_meets_a_request_and_both_are_content(alice: User, bob: User) -> None:
    team = make_team(alice, joining="ask")
    services.join(user=bob, team_id=team.public_id, now=NOW)
    services.invite(user=alice, team_id=team.public_id, username="bob", now=NOW)
    assert names(team) == ["alice", "bob"]


def test_an_invitation_is_declined_and_called_back(alice: User, bob: User, charlie: User) -> None:
    team = make_team(alice, joining="invited")
    for name in ("bob", "charlie"):
        services.invite(user=alice, team_id=team.public_id, username=name, now=NOW)
    services.decline(user=bob, team_id=team.public_id)
    services.answer(user=alice, team_id=team.public_id, username="charlie", accepted=False, now=NOW)
    assert not JoinRequest.objects.exists()
    with pytest.raises(Forbidden):
        services.join(user=charlie, team_id=team.public_id, now=NOW)


def test_a_captain_cannot_accept_their_own_invitation(alice: User, bob: User) -> None:
    team = make_team(alice, joining="invited")
    services.invite(user=alice, team_id=team.public_id, username="bob", now=NOW)
    with pytest.raises(NotFound):
        services.answer(user=alice, team_id=team.public_id, username="bob", accepted=True, now=NOW)


def test_only_the_captain_and_the_staff_look_after_members(alice: User, bob: User, charlie: User) -> None:
    team = make_team(alice)
    services.join(user=bob, team_id=team.public_id, now=NOW)
    acts: list[Any] = [
        lambda: services.invite(user=bob, team_id=team.public_id, username="charlie", now=NOW),
        lambda: services.remove(user=bob, team_id=team.public_id, username="alice"),
        lambda: services.hand_over(user=bob, team_id=team.public_id, username="bob"),
        lambda: services.disband(user=bob, team_id=team.public_id, now=NOW),
        lambda: selectors.join_requests(bob, team),
    ]
    for act in acts:
        with pytest.raises(Forbidden, match="captain"):
            act()
    staff = make_user("judge", is_staff=True)
    services.remove(user=staff, team_id=team.public_id, username="bob")
    assert names(team) == ["alice"]


def test_a_captain_hands_the_team_over_before_leaving(alice: User, bob: User) -> None:
    team = make_team(alice)
    services.join(user=bob, team_id=team.public_id, now=NOW)
    with pytest.raises(Conflict, match="Hand it over"):
        services.leave(user=alice, team_id=team.public_id, now=NOW)
    services.hand_over(user=alice, team_id=team.public_id, username="bob")
    with pytest.raises(Conflict, match="Hand it over"):
        services.leave(user=alice, team_id=team.public_id, now=NOW)
    services.answer_leading(user=bob, team_id=team.public_id, accepted=True)
    services.leave(user=alice, team_id=team.public_id, now=NOW)
    assert names(team) == ["bob"]
    assert fresh(team).captain == bob


def test_teams_handed_over_count_among_those_that_one_may_lead(alice: User) -> None:
    teams = [make_team_of(f"dogs {number}", 1) for number in range(founding.MAX_LED + 2)]
    for team, (captain,) in teams:
        services.join(user=alice, team_id=team.public_id, now=NOW)
        services.hand_over(user=captain, team_id=team.public_id, username="alice")
    *others, (left, (gone,)), (last, _captain) = teams
    for team, _captain in others:
        services.answer_leading(user=alice, team_id=team.public_id, accepted=True)
    close_for_good(gone, NOW)
    for team in (left, last):
        with pytest.raises(Conflict, match="at most 5 teams"):
            services.answer_leading(user=alice, team_id=team.public_id, accepted=True)
    services.disband(user=alice, team_id=others[0][0].public_id, now=NOW)
    services.answer_leading(user=alice, team_id=last.public_id, accepted=True)
    services.answer_leading(user=alice, team_id=left.public_id, accepted=False)
    assert Team.objects.filter(captain=alice, disbanded_at=None).count() == founding.MAX_LED


def test_the_last_member_disbands_the_team(alice: User) -> None:
    team = make_team(alice)
    services.write(user=alice, team_id=team.public_id, text="Alone", now=NOW)
    services.leave(user=alice, team_id=team.public_id, now=NOW)
    assert fresh(team).disbanded_at == NOW
    clearing.clear_disbanded()
    assert not Member.objects.exists()
    assert not Post.objects.exists()


def test_nobody_becomes_captain_unasked_when_the_captain_closes_the_account(bob: User) -> None:
    team, (captain, oldest, other) = make_team_of("dogs", 3)
    close_for_good(captain, NOW)
    captain.refresh_from_db()
    assert (fresh(team).captain, fresh(team).successor, fresh(team).size) == (captain, oldest, 2)

    services.answer_leading(user=bob, team_id=team.public_id, accepted=True)  # who is no member
    assert fresh(team).captain == captain
    services.answer_leading(user=oldest, team_id=team.public_id, accepted=False)
    assert fresh(team).successor is None
    services.answer_leading(user=other, team_id=team.public_id, accepted=True)
    assert fresh(team).captain == other
    services.answer_leading(user=oldest, team_id=team.public_id, accepted=True)  # too late
    assert fresh(team).captain == other


def may_take_over(team: Team, user: User) -> bool:
    """Whether the page of the team offers somebody to be its captain, and they are then."""
    client = Client()
    client.force_login(user)
    offered = "Become captain" in client.get(f"/teams/{team.public_id}/").content.decode()
    services.answer_leading(user=user, team_id=team.public_id, accepted=True)
    leads = fresh(team).captain == user
    assert leads == offered
    return leads


def test_only_members_of_before_take_over_a_team_whose_captain_is_gone(bob: User) -> None:
    team, (captain, oldest, other) = make_team_of("dogs", 3)
    close_for_good(captain, NOW)
    services.answer_leading(user=oldest, team_id=team.public_id, accepted=False)
    services.join(user=bob, team_id=team.public_id, now=NOW + DAY)
    assert not may_take_over(team, bob)
    assert may_take_over(team, other)


@pytest.mark.parametrize("suspended", [False, True], ids=["left", "suspended"])
def test_once_all_members_of_before_are_gone_the_longest_standing_one_takes_over(
    bob: User, charlie: User, suspended: bool
) -> None:
    team, (captain, *others) = make_team_of("dogs", 3)
    close_for_good(captain, NOW)
    for day, user in enumerate((charlie, bob), start=1):
        services.join(user=user, team_id=team.public_id, now=NOW + day * DAY)
    for user in others:
        if suspended:
            User.objects.filter(pk=user.pk).update(is_active=False)
        else:
            services.leave(user=user, team_id=team.public_id, now=NOW + 3 * DAY)
    assert not may_take_over(team, bob)
    assert may_take_over(team, charlie)


def test_the_last_member_who_closes_the_account_disbands_the_team(bob: User) -> None:
    mine = make_team(bob, "Alone")
    close_for_good(bob, NOW)
    assert fresh(mine).disbanded_at == NOW


def test_a_captain_does_not_see_requests_of_blocked_people(alice: User, bob: User) -> None:
    team = make_team(alice, joining="ask")
    services.join(user=bob, team_id=team.public_id, now=NOW)
    contact_services.block(user=alice, other=bob, now=NOW)
    assert list(selectors.join_requests(alice, team)) == []


def test_every_event_is_sent_once(alice: User, bob: User) -> None:
    emitted: list[object] = []
    kinds = (events.AskedToJoin, events.AskingAnswered, events.MemberJoined, events.MemberLeft)
    for kind in kinds:
        on(kind)(emitted.append)
    team = make_team(alice, joining="ask")
    for _ in range(2):
        services.join(user=bob, team_id=team.public_id, message="Hello", now=NOW)
    services.answer(user=alice, team_id=team.public_id, username="bob", accepted=True, now=NOW)
    for _ in range(2):
        services.leave(user=bob, team_id=team.public_id, now=NOW)
    assert [type(event).__name__ for event in emitted] == [
        "MemberJoined",
        "AskedToJoin",
        "MemberJoined",
        "AskingAnswered",
        "MemberLeft",
    ]
