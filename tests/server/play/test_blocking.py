"""Blocked players in games."""

from __future__ import annotations

from datetime import timedelta
from html import unescape
from typing import Any

import pytest

from crownhead.server.accounts.models import Ignored, User
from crownhead.server.play import problems
from crownhead.server.play.chat.services import send_message
from crownhead.server.play.draws.services import resign
from crownhead.server.play.games import services as game_services
from crownhead.server.play.games.options import GameOptions
from crownhead.server.play.invitations import selectors as invitation_selectors
from crownhead.server.play.invitations import services as invitation_services
from tests.server.conftest import PASSWORD
from tests.server.play.factories import NOW, api_of, fresh, make_game, make_offer, slug

pytestmark = pytest.mark.django_db
TERMS = GameOptions(variant="american", colour="random", days_per_move=3)


@pytest.fixture
def alice_ignores_bob(alice: User, bob: User) -> None:
    Ignored.objects.create(user=alice, ignored=bob, created_at=NOW)


def test_blocked_players_cannot_invite_you_and_are_not_told_why(alice: User, bob: User) -> None:
    over = make_game(alice, bob)
    Ignored.objects.create(user=alice, ignored=bob, created_at=NOW)
    body = {"variant": "american", "colour": "first", "days_per_move": 3, "opponent": "alice"}
    answer = api_of(bob).post("/games", body)
    assert (answer.status_code, slug(answer)) == (403, "not-welcome")
    assert answer.json()["detail"] == "alice does not accept invitations from you."
    resign(user=bob, game_id=over.public_id, now=NOW)
    assert slug(api_of(bob).post(f"/games/{over.public_id}/rematch", {})) == "not-welcome"


@pytest.mark.usefixtures("alice_ignores_bob")
def test_the_form_of_a_new_game_says_so_beside_the_name(bob: User, client: Any) -> None:
    client.force_login(bob)
    answer = client.post(
        "/new/", {"variant": "american", "colour": "first", "opponent": "alice", "terms": "1"}
    )
    assert answer.status_code == 403
    assert "This player isn't accepting invitations from you." in unescape(answer.content.decode())


@pytest.mark.usefixtures("alice_ignores_bob")
def test_one_may_still_invite_whom_one_ignores(alice: User, bob: User) -> None:
    game = invitation_services.invite(
        creator=alice, opponent="bob", options=TERMS, message="", site="", now=NOW
    )
    assert invitation_services.accept(user=bob, game_id=game.public_id, now=NOW).status == "playing"


def test_an_invitation_of_somebody_ignored_since_is_hidden(alice: User, bob: User) -> None:
    invitation_services.invite(creator=bob, opponent="alice", options=TERMS, message="", site="", now=NOW)
    assert invitation_selectors.received(user=alice, now=NOW).count() == 1
    Ignored.objects.create(user=alice, ignored=bob, created_at=NOW)
    assert invitation_selectors.received(user=alice, now=NOW).count() == 0
    assert invitation_selectors.sent(user=bob, now=NOW).count() == 1


@pytest.mark.usefixtures("alice_ignores_bob")
@pytest.mark.parametrize("offers", ["alice", "bob"])
def test_the_waiting_room_keeps_the_two_apart(
    alice: User, bob: User, charlie: User, client: Any, offers: str
) -> None:
    creator, other = (alice, bob) if offers == "alice" else (bob, alice)
    game = make_offer(creator)
    assert api_of(other).get("/waiting-room").json()["items"] == []
    assert len(api_of(charlie).get("/waiting-room").json()["items"]) == 1
    assert len(api_of().get("/waiting-room").json()["items"]) == 1
    client.login(username=other.username, password=PASSWORD)
    assert game.public_id not in client.get("/waiting-room/").content.decode()


@pytest.mark.usefixtures("alice_ignores_bob")
def test_a_game_of_somebody_who_ignores_one_cannot_be_taken_by_its_address(alice: User, bob: User) -> None:
    game = make_offer(alice)
    answer = api_of(bob).post(f"/waiting-room/{game.public_id}/join")
    assert slug(answer) == "not-welcome"
    assert fresh(game).status == "waiting"


@pytest.mark.usefixtures("alice_ignores_bob")
def test_auto_match_does_not_pair_the_two(alice: User, bob: User, charlie: User) -> None:
    waits = game_services.auto_match(user=alice, options=TERMS, now=NOW)
    also_waits = game_services.auto_match(user=bob, options=TERMS, now=NOW)
    assert (waits.status, also_waits.status) == ("waiting", "waiting")
    assert game_services.auto_match(user=charlie, options=TERMS, now=NOW).creator == alice


def test_what_somebody_ignored_says_is_read_by_all_but_one(
    alice: User, bob: User, charlie: User, django_user_model: type[User]
) -> None:
    game = make_game(alice, bob)
    Ignored.objects.create(user=alice, ignored=bob, created_at=NOW)
    send_message(user=bob, game_id=game.public_id, text="You cannot win.", now=NOW)
    send_message(user=alice, game_id=game.public_id, text="Good luck.", now=NOW)

    def read(user: User | None) -> list[str]:
        return [line["text"] for line in api_of(user).get(f"/games/{game.public_id}/chat").json()]

    assert read(alice) == ["Good luck."]
    assert read(bob) == ["You cannot win.", "Good luck."]
    assert read(charlie) == []
    resign(user=bob, game_id=game.public_id, now=NOW)
    assert read(charlie) == read(None) == ["You cannot win.", "Good luck."]
    Ignored.objects.create(user=charlie, ignored=alice, created_at=NOW)
    assert read(charlie) == ["You cannot win."]
    dora = django_user_model.objects.create_user("dora", "d@club.example", is_staff=True)
    Ignored.objects.create(user=dora, ignored=bob, created_at=NOW)
    assert len(read(dora)) == 2


def test_the_refusal_is_of_a_kind_that_programs_know() -> None:
    assert problems.NotWelcome("x").document()["status"] == 403


def test_an_invitation_ends_when_its_author_blocks_the_invited(alice: User, bob: User) -> None:
    game = invitation_services.invite(
        creator=alice, opponent="bob", options=TERMS, message="", site="", now=NOW
    )
    Ignored.objects.create(user=alice, ignored=bob, created_at=NOW + timedelta(minutes=1))
    with pytest.raises(problems.NotWelcome):
        invitation_services.accept(user=bob, game_id=game.public_id, now=NOW + timedelta(minutes=2))
    assert fresh(game).status == "waiting"
