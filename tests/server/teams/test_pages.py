"""The pages of teams, for guests, strangers, members and captains."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.teams import services
from crownhead.server.teams.models import Team, TeamMatch
from tests.server.play.factories import NOW
from tests.server.teams.factories import (
    fresh,
    make_accepted_match,
    make_proposed_match,
    make_team,
    make_team_of,
)

pytestmark = pytest.mark.django_db


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def page(client: Client, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, answer.content.decode()[-2000:]
    return answer.content.decode()


def post(client: Client, path: str, **fields: Any) -> str:
    answer = client.post(path, fields, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_team_is_founded_by_the_form(alice: User) -> None:
    client = client_of(alice)
    assert "No teams yet" in page(Client(), "/teams/")
    html = post(client, "/teams/new/", name="Blue Dogs", about="**Dogs** only", joining="open")
    team = Team.objects.get()
    assert "Team created." in html
    assert "<strong>Dogs</strong> only" in page(Client(), f"/teams/{team.public_id}/")
    assert "Blue Dogs" in page(Client(), "/teams/?name=blue")
    assert "No teams found." in page(Client(), "/teams/?name=red")


def test_what_is_wrong_stands_beside_the_field(alice: User, bob: User) -> None:
    make_team(bob, "Blue Dogs")
    client = client_of(alice)
    assert "is already taken" in post(client, "/teams/new/", name="blue d0gs", joining="open")
    assert "starting with a letter" in post(client, "/teams/new/", name="-", joining="open")
    assert "Choose one of these" in post(client, "/teams/new/", name="Red Cats", joining="never")
    assert "This is too long" in post(
        client, "/teams/new/", name="Red Cats", joining="open", about="x" * 5001
    )
    assert Team.objects.count() == 1


def test_joining_and_leaving_with_buttons(alice: User, bob: User) -> None:
    team = make_team(alice, joining="open")
    path = f"/teams/{team.public_id}/"
    assert ">Join<" in page(client_of(bob), path)
    assert "Welcome to the team!" in post(client_of(bob), f"{path}join/")
    assert "Message board" in page(client_of(bob), path)
    assert "You have left the team." in post(client_of(bob), f"{path}leave/")
    assert Client().post(f"{path}join/").headers["Location"].startswith("/accounts/login/")


def test_asking_to_join_and_being_taken_in(alice: User, bob: User) -> None:
    team = make_team(alice, joining="ask")
    path = f"/teams/{team.public_id}/"
    assert "Ask to join" in page(client_of(bob), path)
    assert "Your request was sent" in post(client_of(bob), f"{path}join/", message="May I?")
    assert "You have asked to join." in page(client_of(bob), path)
    assert "waiting for your answer:" in page(client_of(alice), path)
    html = page(client_of(alice), f"{path}members/")
    assert "May I?" in html
    assert "bob is now a member." in post(client_of(alice), f"{path}members/", do="accept", username="bob")
    assert fresh(team).size == 2


def test_inviting_by_name_and_accepting_on_the_list(alice: User, bob: User) -> None:
    team = make_team(alice, joining="invited")
    members = f"/teams/{team.public_id}/members/"
    assert "This team is by invitation only." in page(client_of(bob), f"/teams/{team.public_id}/")
    assert "There is no player" in post(client_of(alice), members, do="invite", username="nobody")
    assert "bob has been invited." in post(
        client_of(alice), members, do="invite", username="bob", message="Come"
    )
    assert "invited by alice" in page(client_of(bob), "/teams/")
    post(client_of(bob), f"/teams/{team.public_id}/join/", do="decline")
    assert "invited by alice" not in page(client_of(bob), "/teams/")


def test_only_the_captain_sees_the_tools(alice: User, bob: User) -> None:
    team = make_team(alice)
    services.join(user=bob, team_id=team.public_id, now=NOW)
    assert "Invite a player" not in page(client_of(bob), f"/teams/{team.public_id}/members/")
    page(client_of(bob), f"/teams/{team.public_id}/edit/", 403)
    answer = client_of(bob).post(f"/teams/{team.public_id}/members/", {"do": "remove", "username": "alice"})
    assert answer.status_code == 403
    page(client_of(alice), "/teams/nonesuch/", 404)


def test_a_captain_hands_over_removes_and_disbands(alice: User, bob: User, charlie: User) -> None:
    team = make_team(alice)
    for user in (bob, charlie):
        services.join(user=user, team_id=team.public_id, now=NOW)
    members = f"/teams/{team.public_id}/members/"
    assert "charlie is no longer a member." in post(
        client_of(alice), members, do="remove", username="charlie"
    )
    assert "bob has been asked to become captain." in post(
        client_of(alice), members, do="captain", username="bob"
    )
    assert "asked to become captain" in page(client_of(alice), members)
    assert page(client_of(bob), f"/teams/{team.public_id}/edit/", 403)
    assert "The captain asks you to take over as captain." in page(
        client_of(bob), f"/teams/{team.public_id}/"
    )
    assert "You are now the captain." in post(client_of(bob), f"/teams/{team.public_id}/join/", do="lead")
    html = post(client_of(bob), f"/teams/{team.public_id}/edit/", do="disband")
    assert "Team disbanded." in html
    assert "This team was disbanded." in page(client_of(alice), f"/teams/{team.public_id}/")


@pytest.mark.parametrize("key", ["x", "0", "9" * 30, "9" * 5000])
def test_a_message_that_is_not_there_is_not_deleted(alice: User, key: str) -> None:
    path = f"/teams/{make_team(alice).public_id}/board/"
    assert client_of(alice).post(path, {"take_down": key}).status_code == 404


def test_the_board_is_for_members(alice: User, bob: User) -> None:
    team = make_team(alice)
    path = f"/teams/{team.public_id}/board/"
    page(client_of(bob), path, 403)
    assert Client().get(path).status_code == 302
    assert "<em>Hello</em>" in post(client_of(alice), path, text="*Hello* <script>")
    html = page(client_of(alice), path)
    assert "<script>" not in html.split("</head>")[1].split("<main")[1]
    assert "Write 1 to 4000 characters." in post(client_of(alice), path, text=" ")


def test_too_many_messages_at_once_are_refused(alice: User, settings: Any) -> None:
    settings.LIMITS = settings.LIMITS | {"team_posts": "2/h"}
    team = make_team(alice)
    client = client_of(alice)
    for status in (302, 302, 429):
        assert client.post(f"/teams/{team.public_id}/board/", {"text": "Hi"}).status_code == status


def test_a_match_from_the_challenge_to_the_score(alice: User) -> None:
    home, ours = make_team_of("dogs", 2)
    away, theirs = make_team_of("cats", 2)
    page(client_of(ours[1]), f"/teams/{away.public_id}/challenge/")
    fields = {
        "home": home.public_id,
        "variant": "american",
        "pace": "main",
        "draw_rules": "official",
        "boards": "2",
        "games_each": "1",
        "rated": "on",
        "message": "Shall we?",
    }
    wrong = post(client_of(ours[0]), f"/teams/{away.public_id}/challenge/", **fields | {"boards": "9"})
    assert "Choose 1 to 2 boards" in wrong
    live = fields | {"pace": "live", "minutes": "5", "seconds": "0"}
    assert "no live clock" in post(client_of(ours[0]), f"/teams/{away.public_id}/challenge/", **live)
    assert "Match proposed." in post(client_of(ours[0]), f"/teams/{away.public_id}/challenge/", **fields)
    match = TeamMatch.objects.get()
    path = f"/team-matches/{match.public_id}/"
    assert "Your answer" in page(client_of(theirs[0]), path)
    assert "Your answer" not in page(client_of(ours[0]), path)
    assert "Now submit your line-up" in post(client_of(theirs[0]), path, do="accept")
    html = post(client_of(ours[0]), path, do="line_up", player=["dogs-1", "dogs-1"])
    assert "Choose each player only once." in html
    html = post(client_of(ours[0]), path, do="line_up", player=["dogs-2", "dogs-1"])
    assert "These players have not said that they can play: dogs-2" in html
    for member in (ours[1], theirs[1]):
        assert "Can you play?" in page(client_of(member), path)
        assert "Your captain can choose you now." in post(client_of(member), path, do="available")
    post(client_of(ours[0]), path, do="line_up", player=["dogs-2", "dogs-1"])
    assert "dogs-2" not in page(client_of(theirs[0]), path).split("<main")[1]
    post(client_of(theirs[0]), path, do="line_up", player=["cats-1", "cats-2"])
    html = page(Client(), path)
    assert "moves first" in html
    assert "dogs-2" in html
    assert "dogs – cats" in page(client_of(alice), f"/teams/{home.public_id}/")


def test_a_match_is_withdrawn_on_its_page() -> None:
    home, ours = make_team_of("dogs", 2)
    away, _theirs = make_team_of("cats", 2)
    for match in (make_proposed_match(home, away), make_accepted_match(home, away)):
        path = f"/team-matches/{match.public_id}/"
        assert "Match cancelled." in post(client_of(ours[0]), path, do="withdraw")
    page(Client(), "/team-matches/nonesuch/", 404)


@pytest.mark.parametrize(("length", "word"), [(500, "Match proposed."), (501, "Use 0 to 500 characters.")])
def test_a_message_to_the_other_captain_is_kept_whole_or_refused(length: int, word: str) -> None:
    (home, ours), (away, _theirs) = make_team_of("dogs", 2), make_team_of("cats", 2)
    fields = {"home": home.public_id, "variant": "american", "pace": "main", "boards": "1", "games_each": "2"}
    message = "x" * length
    html = post(client_of(ours[0]), f"/teams/{away.public_id}/challenge/", **fields, message=message)
    assert word in html
    assert message in html
