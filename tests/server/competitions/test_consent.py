"""Nobody plays in a tournament, or directs one, who did not accept it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from crownhead.server.accounts.contacts.services import add_buddy, block
from crownhead.server.accounts.models import User
from crownhead.server.accounts.preferences.services import set_preferences
from crownhead.server.competitions import events, jobs, selectors, services
from crownhead.server.competitions.models import Director, DirectorAction, Entrant, Invitation, Tournament
from crownhead.server.competitions.services.announcement import Announcement
from crownhead.server.core.events import on
from crownhead.server.core.problems import Conflict, Forbidden, Unprocessable
from crownhead.server.notices.selectors.reading import notices_of
from crownhead.server.play.models import Game
from crownhead.server.play.problems import NotWelcome
from tests.server.competitions.factories import (
    LIVE,
    MAIN,
    enter_players,
    fresh,
    make_running_tournament,
    make_tournament,
    open_rows,
    opponents,
)
from tests.server.competitions.test_api import CUP
from tests.server.competitions.test_pages import form
from tests.server.conftest import make_user
from tests.server.play.factories import DAY, NOW, api_of

pytestmark = pytest.mark.django_db
WHY = "Because it is so."


def of(tournament: Tournament) -> dict[str, Any]:
    return {"tournament_id": tournament.public_id, "now": NOW}


def invite(tournament: Tournament, *names: str) -> None:
    services.invite(user=tournament.host, usernames=names, **of(tournament))


def notified(user: User) -> list[str]:
    return [notice.subject for notice in notices_of(user)]


def buttons(user: User, path: str) -> str:
    client = Client()
    client.force_login(user)
    return client.get(path).content.decode()


def test_a_director_cannot_enter_anybody_by_any_door(alice: User, bob: User) -> None:
    tournament = make_tournament(alice, game=LIVE)
    enter_players(tournament, 3)
    path = f"/tournaments/{tournament.public_id}"
    api_of(alice).send("PUT", f"{path}/players/bob", b"")
    client = Client()
    client.force_login(alice)
    client.post(f"{path}/direct/", {"do": "enter", "names": "bob"})
    invite(tournament, "bob")
    services.start(user=alice, **of(tournament))
    jobs.advance_due(NOW)
    assert not Entrant.objects.filter(user=bob).exists()
    assert bob.pk not in {user.pk for row in open_rows(tournament) for user in opponents(row)}


def test_a_director_does_not_invite_themselves_past_the_limits(alice: User) -> None:
    tournament = make_tournament(alice, min_rating=1900)
    with pytest.raises(Unprocessable, match="You can't invite yourself"):
        invite(tournament, "alice")
    with pytest.raises(Forbidden):
        services.enter(user=alice, now=NOW, tournament_id=tournament.public_id)


def test_an_invited_player_accepts_on_the_page_whatever_their_rating(alice: User, bob: User) -> None:
    tournament = make_tournament(alice, min_rating=1900, entry="invited")
    path = f"/tournaments/{tournament.public_id}/"
    invite(tournament, "bob")
    assert notified(bob) == ["alice invites you to the tournament Spring cup"]
    html = buttons(bob, path)
    assert "alice invites you." in html
    assert ">Accept<" in html
    assert "Spring cup" in buttons(bob, "/tournaments/")
    client = Client()
    client.force_login(bob)
    client.post(f"{path}take-part/", {"do": "enter"})
    assert Entrant.objects.get().user == bob
    assert notified(bob) == []
    assert notified(alice) == ["bob plays in Spring cup"]


def test_a_player_who_declines_is_not_asked_again(alice: User, bob: User) -> None:
    tournament = make_tournament(alice)
    invite(tournament, "bob")
    path = f"/tournaments/{tournament.public_id}"
    assert api_of(bob).post(f"{path}/decline").status_code == 204
    assert notified(alice) == ["bob declined your invitation to Spring cup"]
    with pytest.raises(Conflict, match="bob has declined your invitation"):
        invite(tournament, "bob")
    (row,) = api_of(alice).get(f"{path}/invitations").json()
    assert (row["username"], row["answer"], row["invited_by"]) == ("bob", "declined", "alice")


def test_a_withdrawn_invitation_cannot_be_accepted(alice: User, bob: User) -> None:
    tournament = make_tournament(alice, entry="invited")
    invite(tournament, "bob")
    assert [row["name"] for row in api_of(bob).get("/tournaments", invited=True).json()["items"]] == [
        "Spring cup"
    ]
    answer = api_of(alice).delete(f"/tournaments/{tournament.public_id}/invitations/bob")
    assert answer.status_code == 204
    assert notified(bob) == []
    assert list(selectors.my_invitations(bob)) == []
    with pytest.raises(Forbidden, match="by invitation only"):
        services.enter(user=bob, **of(tournament))


def test_directors_see_who_has_not_answered(alice: User, bob: User, charlie: User) -> None:
    tournament = make_tournament(alice)
    invite(tournament, "bob", "charlie")
    services.enter(user=bob, **of(tournament))
    html = buttons(alice, f"/tournaments/{tournament.public_id}/direct/")
    assert html.count("not answered yet") == 1
    assert html.count('value="uninvite"') == 1


def test_blocked_hosts_and_directors_cannot_invite(alice: User, bob: User, charlie: User) -> None:
    tournament = make_tournament(alice)
    services.set_directors(user=alice, usernames=["charlie"], **of(tournament))
    services.answer_directing(user=charlie, tournament_id=tournament.public_id, accepted=True)
    block(user=bob, other=alice, now=NOW)
    for director in (alice, charlie):
        with pytest.raises(NotWelcome):
            services.invite(user=director, usernames=["bob"], **of(tournament))
    assert not Invitation.objects.exists()


@pytest.mark.parametrize(("wanted", "buddy", "welcome"), [("nobody", True, False), ("buddies", True, True),
    ("buddies", False, False)])  # fmt: skip
def test_members_choose_who_may_invite_them(
    alice: User, bob: User, wanted: str, buddy: bool, welcome: bool
) -> None:
    set_preferences(user=bob, changes={"invitations": wanted})
    if buddy:
        add_buddy(user=bob, other=alice, now=NOW)
    tournament = make_tournament(alice)
    if welcome:
        invite(tournament, "bob")
    else:
        with pytest.raises(NotWelcome):
            invite(tournament, "bob")
    assert Invitation.objects.exists() == welcome


def test_a_substitute_takes_over_only_by_accepting(alice: User, bob: User) -> None:
    tournament, users = make_running_tournament(alice, 4)
    services.invite_substitute(
        user=alice, username=users[0].username, substitute="bob", reason=WHY, **of(tournament)
    )
    jobs.advance_due(NOW)
    assert Entrant.objects.filter(user=users[0], left=None).exists()
    assert not Game.objects.filter(status="finished").exists()
    assert notified(bob) == ["alice invites you to take player-1's place in Spring cup"]
    assert "take player-1's place" in buttons(bob, f"/tournaments/{tournament.public_id}/")
    services.enter(user=bob, **of(tournament))
    assert not Entrant.objects.filter(user=users[0]).exists()
    assert fresh(tournament).size == 4


def test_a_substitute_who_is_no_longer_wanted_stays_out(alice: User, bob: User) -> None:
    tournament, users = make_running_tournament(alice, 4)
    services.invite_substitute(
        user=alice, username=users[0].username, substitute="bob", reason=WHY, **of(tournament)
    )
    services.withdraw_invitation(user=alice, username="bob", **of(tournament))
    with pytest.raises(Conflict, match="Entry is closed"):
        services.enter(user=bob, **of(tournament))


def test_a_running_tournament_is_entered_late_by_invitation(alice: User, bob: User) -> None:
    tournament, _users = make_running_tournament(alice, 6, format="swiss", max_players=10)
    with pytest.raises(Conflict, match="Entry is closed"):
        services.enter(user=bob, **of(tournament))
    invite(tournament, "bob")
    assert services.enter(user=bob, **of(tournament)).entered == 2
    closed, _users = make_running_tournament_of_others(alice)
    with pytest.raises(Conflict, match="only invite a substitute"):
        invite(closed, "bob")


def make_running_tournament_of_others(host: User) -> tuple[Tournament, list[User]]:
    """A round robin, which has no late entry."""
    tournament = make_tournament(host, name="Other cup")
    users = [make_user(f"other-{number}") for number in range(3)]
    for user in users:
        services.enter(user=user, **of(tournament))
    services.start(user=host, **of(tournament))
    return fresh(tournament), users


def test_a_director_directs_only_once_they_accept(alice: User, bob: User) -> None:
    asked: list[events.AskedToDirect] = []
    on(events.AskedToDirect)(asked.append)
    tournament = make_tournament(alice)
    path = f"/tournaments/{tournament.public_id}/"
    for _ in range(2):
        services.set_directors(user=alice, usernames=["bob"], **of(tournament))
    assert [event.user_ids for event in asked] == [(bob.pk,)]
    with pytest.raises(Forbidden):
        services.invite(user=bob, usernames=["alice"], **of(tournament))
    assert "asks you to direct" in buttons(bob, path)
    assert "Not answered yet: bob" in buttons(alice, f"{path}direct/")
    client = Client()
    client.force_login(bob)
    client.post(f"{path}take-part/", {"do": "direct"})
    assert "Manage" in buttons(bob, path)
    assert notified(alice) == ["bob directs Spring cup with you"]


def test_a_director_who_declines_is_gone(alice: User, bob: User) -> None:
    tournament = make_tournament(alice)
    services.set_directors(user=alice, usernames=["bob"], **of(tournament))
    services.answer_directing(user=bob, tournament_id=tournament.public_id, accepted=False)
    assert not Director.objects.exists()
    assert notified(alice) == ["bob won't direct Spring cup"]


def test_a_tournament_of_members_does_not_speak_for_the_staff(alice: User) -> None:
    with pytest.raises(Unprocessable, match="could be taken for the staff's"):
        make_tournament(alice, name="Official championship")
    tournament = make_tournament(alice, name="Spring cup")
    assert tournament.name == "Spring cup"


KNOCKOUT: dict[str, Any] = {
    "format": "single-elimination",
    "game": LIVE,
    "no_show_minutes": 10,
    "appointment_days": 3,
}


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"game": MAIN, "no_show_minutes": None, "appointment_days": None}, "variant"),
        ({"format": "arena", "minutes": 1440, "appointment_days": None}, "format"),
        ({"options": {"games": 2}}, "format"),
        ({"no_show_minutes": 1}, "no_show_minutes"),
        ({"appointment_days": None}, "appointment_days"),
        ({"withdrawal": "play_on"}, "withdrawal"),
        ({"prizes": ("Certified cheater",)}, "prizes"),
        ({"name": "Cup of the cheaters"}, "name"),
    ],
)
def test_what_players_have_agreed_to_play_is_not_changed(
    alice: User, changes: dict[str, Any], field: str
) -> None:
    tournament = make_tournament(alice, **KNOCKOUT)
    terms: dict[str, Any] = {"name": "Spring cup", "min_players": 3, "start": "hand"}
    before, after = Announcement(**terms | KNOCKOUT), Announcement(**terms | KNOCKOUT | changes)
    for wanted in (after, before):
        services.edit(user=alice, wanted=wanted, **of(tournament))
    enter_players(tournament, 3)
    with pytest.raises(Conflict, match="can't be changed once players have entered") as refused:
        services.edit(user=alice, wanted=after, **of(tournament))
    assert refused.value.field == field
    services.edit(user=alice, wanted=before, **of(tournament))


def test_a_tournament_that_somebody_has_entered_keeps_its_name(alice: User, bob: User) -> None:
    path = api_of(alice).post("/tournaments", CUP).json()["id"]
    offer = api_of(bob).get(f"/tournaments/{path}").json()["offer"]
    wanted = CUP | {"name": "Cup of friends"}
    assert api_of(alice).put(f"/tournaments/{path}", wanted).status_code == 200
    assert api_of(bob).post(f"/tournaments/{path}/enter?offer={offer}").status_code == 409
    services.enter(user=bob, tournament_id=path, now=NOW)
    answer = api_of(alice).put(f"/tournaments/{path}", CUP)
    assert (answer.status_code, answer.json()["field"]) == (409, "name")

    fields = form(name="Cup of cheaters", pace="days", days_per_move="2", max_players="3")
    page = Client()
    page.force_login(alice)
    edited = page.post(f"/tournaments/{path}/edit/", fields)
    assert "The name can&#x27;t be changed once players have entered." in edited.content.decode()
    assert Tournament.objects.get().name == "Cup of friends"


def test_the_staff_rename_a_tournament_that_somebody_has_entered_and_players_hear_of_it(
    alice: User, bob: User, charlie: User
) -> None:
    judge = make_user("judge", is_staff=True)
    path = api_of(alice).post("/tournaments", CUP).json()["id"]
    services.invite(user=alice, tournament_id=path, usernames=["charlie"], now=NOW)
    services.enter(user=bob, tournament_id=path, now=NOW)
    offer = api_of(charlie).get(f"/tournaments/{path}").json()["offer"]
    refused = api_of(judge).put(f"/tournaments/{path}", CUP | {"name": "Cup", "variant": "russian"})
    assert (refused.status_code, refused.json()["field"]) == (409, "variant")
    answer = api_of(judge).put(f"/tournaments/{path}", CUP | {"name": "Cup of friends"})
    assert (answer.status_code, answer.json()["name"]) == (200, "Cup of friends")
    assert DirectorAction.objects.latest("pk").verb == "edited"
    assert any("Cup of friends" in subject for subject in notified(bob))

    assert api_of(charlie).post(f"/tournaments/{path}/enter?offer={offer}").status_code == 409
    offer = api_of(charlie).get(f"/tournaments/{path}").json()["offer"]
    assert api_of(charlie).post(f"/tournaments/{path}/enter?offer={offer}").status_code < 300
    assert set(Entrant.objects.values_list("user", flat=True)) == {bob.pk, charlie.pk}


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"late_rounds": 3}, "late_rounds"),
        ({"held_rounds": True}, "held_rounds"),
        ({"pause_minutes": 1440}, "pause_minutes"),
    ],
)
def test_the_rounds_that_players_were_told_are_not_changed(
    alice: User, changes: dict[str, Any], field: str
) -> None:
    terms: dict[str, Any] = {"name": "Spring cup", "format": "swiss", "game": LIVE, "min_players": 3}
    terms |= {"max_players": 16, "start": "hand"}
    tournament = make_tournament(alice, **terms)
    for wanted in (changes, {}):
        services.edit(user=alice, wanted=Announcement(**terms | wanted), **of(tournament))
    enter_players(tournament, 3)
    with pytest.raises(Conflict, match="once players have entered") as refused:
        services.edit(user=alice, wanted=Announcement(**terms | changes), **of(tournament))
    assert refused.value.field == field
    for places in (8, 60):
        services.edit(user=alice, wanted=Announcement(**terms | {"max_players": places}), **of(tournament))


def test_where_all_play_all_there_are_no_more_places_than_players_were_told(alice: User) -> None:
    terms: dict[str, Any] = {"name": "Spring cup", "format": "round-robin", "game": MAIN, "min_players": 3}
    tournament = make_tournament(alice, **terms, max_players=16)
    enter_players(tournament, 3)
    for places in (12, 8):
        services.edit(user=alice, wanted=Announcement(**terms, max_players=places), **of(tournament))
    with pytest.raises(Conflict, match="once players have entered") as refused:
        services.edit(user=alice, wanted=Announcement(**terms, max_players=9), **of(tournament))
    assert refused.value.field == "max_players"


def test_what_an_arena_does_not_use_never_hinders_an_edit(alice: User) -> None:
    terms: dict[str, Any] = {"name": "Spring cup", "format": "arena", "game": LIVE, "min_players": 3}
    terms |= {"minutes": 60, "start": "hand"}
    tournament = make_tournament(alice, **terms, late_rounds=2, pause_minutes=5)
    enter_players(tournament, 3)
    services.edit(user=alice, wanted=Announcement(**terms), **of(tournament))
    assert fresh(tournament).pause_minutes == 0


def test_a_tournament_with_players_does_not_begin_before_its_date(alice: User) -> None:
    date = NOW + 20 * DAY + timedelta(seconds=30)
    tournament = make_tournament(alice, start="date", starts_at=date)

    def move(start: str, days: int) -> None:
        facts: dict[str, Any] = {"game": MAIN, "format": "round-robin", "min_players": 3, "start": start}
        wanted = Announcement(name="Spring cup", **facts, starts_at=NOW + days * DAY)
        services.edit(user=alice, wanted=wanted, **of(tournament))

    direct = f"/tournaments/{tournament.public_id}/direct/"
    for start, days in (("hand", 5), ("full", 5), ("date", 5), ("date", 20)):
        move(start, days)
    assert "Start now" in buttons(alice, direct)
    enter_players(tournament, 3)
    assert "Start now" not in buttons(alice, direct)
    early: dict[str, Any] = {"match": "can't begin before the date"}
    for start, days in (("hand", 5), ("full", 5), ("date", 5)):
        with pytest.raises(Conflict, **early):
            move(start, days)
    with pytest.raises(Conflict, **early):
        services.extend(user=alice, until=NOW + 5 * DAY, reason=WHY, **of(tournament))
    with pytest.raises(Conflict, **early):
        services.start(user=alice, **of(tournament))
    for days in (20, 21):
        move("date", days)
    services.start(user=alice, tournament_id=tournament.public_id, now=NOW + 21 * DAY)
    assert fresh(tournament).status == "running"


FULL_OR_DATE: dict[str, Any] = {
    "name": "Spring cup",
    "game": MAIN,
    "format": "round-robin",
    "min_players": 3,
    "max_players": 6,
    "start": "full",
    "starts_at": NOW + 20 * DAY,
}


@pytest.mark.parametrize(
    "changes",
    [
        {"max_players": 4},
        {"starts_at": NOW + 5 * DAY},
        {"starts_at": None},
        {"start": "date", "starts_at": NOW + 5 * DAY},
        {"start": "hand"},
    ],
)
def test_what_begins_when_full_or_on_a_date_begins_no_earlier(alice: User, changes: dict[str, Any]) -> None:
    tournament = make_tournament(alice, **FULL_OR_DATE)
    enter_players(tournament, 4)
    early: dict[str, Any] = {"match": "can't begin before the date"}
    with pytest.raises(Conflict, **early):
        services.edit(user=alice, wanted=Announcement(**FULL_OR_DATE | changes), **of(tournament))
    with pytest.raises(Conflict, **early):
        services.start(user=alice, **of(tournament))
    with pytest.raises(Conflict, **early):
        services.extend(user=alice, until=NOW + 5 * DAY, reason=WHY, **of(tournament))
    assert "Start now" not in buttons(alice, f"/tournaments/{tournament.public_id}/direct/")
    later = FULL_OR_DATE | {"starts_at": NOW + 21 * DAY}
    services.edit(user=alice, wanted=Announcement(**later), **of(tournament))
    jobs.advance_due(NOW + DAY)
    assert fresh(tournament).status == "entry"


def test_what_begins_when_full_or_on_a_date_can_be_started_once_it_is_full(alice: User) -> None:
    tournament = make_tournament(alice, **FULL_OR_DATE)
    enter_players(tournament, 6)
    services.start(user=alice, **of(tournament))
    assert fresh(tournament).status == "running"


@pytest.mark.parametrize("start", ["full", "date"])
def test_a_slip_in_a_later_date_costs_at_most_a_month(alice: User, start: str) -> None:
    terms = FULL_OR_DATE | {"start": start}
    tournament = make_tournament(alice, **terms)
    slip = NOW + 359 * DAY
    services.extend(user=alice, until=slip, reason=WHY, **of(tournament))
    services.edit(user=alice, wanted=Announcement(**terms), **of(tournament))
    enter_players(tournament, 4)
    much: dict[str, Any] = {"match": "by at most 31 days"}
    with pytest.raises(Unprocessable, **much):
        services.extend(user=alice, until=slip, reason=WHY, **of(tournament))
    with pytest.raises(Unprocessable, **much):
        services.edit(user=alice, wanted=Announcement(**terms | {"starts_at": slip}), **of(tournament))
    for days in (51, 82):
        services.extend(user=alice, until=NOW + days * DAY, reason=WHY, **of(tournament))
    assert fresh(tournament).starts_at == NOW + 82 * DAY
