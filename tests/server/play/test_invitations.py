"""Invitations: to a player, to a stranger by e-mail; accepted, declined, withdrawn, expired, sent again."""

from __future__ import annotations

import json
import re
from datetime import datetime
from typing import Any

import pytest
from django.core.mail import EmailMessage
from pytest_django import DjangoCaptureOnCommitCallbacks

from crownhead.server.accounts.models import User
from crownhead.server.core import clock
from crownhead.server.core.problems import Conflict
from crownhead.server.live.models import Outbox
from crownhead.server.play.games.options import GameOptions
from crownhead.server.play.games.services import withdraw_waiting
from crownhead.server.play.invitations import services
from crownhead.server.play.models import Game
from tests.server.play.factories import DAY, NOW, api_of, fresh, make_game, play_moves, slug

pytestmark = pytest.mark.django_db
TERMS = {"variant": "american", "colour": "first", "days_per_move": 3}


def _invite(creator: User, opponent: str, **more: Any) -> dict[str, Any]:
    answer = api_of(creator).post("/games", TERMS | {"opponent": opponent} | more)
    assert answer.status_code == 201, answer.content
    made: dict[str, Any] = json.loads(answer.content)
    return made


def _invitations(user: User) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(api_of(user).get("/invitations").content)
    return found


def test_an_invited_player_sees_the_game_and_its_message_and_takes_it(alice: User, bob: User) -> None:
    made = _invite(alice, "Bob", message=" A game? ")
    assert (made["status"], made["open"], made["invited"]) == ("waiting", False, {"username": "bob"})
    (received,) = _invitations(bob)["received"]
    assert (received["game"]["id"], received["message"]) == (made["id"], "A game?")
    assert [entry["game"]["id"] for entry in _invitations(alice)["sent"]] == [made["id"]]
    begun = json.loads(api_of(bob).post(f"/invitations/{made['id']}/accept").content)
    assert (begun["id"], begun["status"], begun["turn"]) == (made["id"], "playing", "first")
    assert begun["players"]["second"] == {"username": "bob"}
    assert _invitations(bob) == {"received": [], "sent": []}


def test_nobody_else_sees_or_takes_an_invitation(alice: User, bob: User, charlie: User) -> None:
    game = _invite(alice, "bob")["id"]
    for door in (api_of(charlie), api_of()):
        assert door.get(f"/games/{game}").status_code == 404
        assert door.get(f"/games/{game}.pdn").status_code == 404
        assert game not in door.get("/waiting-room").content.decode()
    for path in (f"/invitations/{game}/accept", f"/invitations/{game}/decline", f"/waiting-room/{game}/join"):
        assert slug(api_of(charlie).post(path)) == "not-found"
    assert not Outbox.objects.filter(topic=f"game:{game}").exists()
    assert Outbox.objects.filter(topic=f"user:{bob.pk}").exists()


def test_an_invitation_once_accepted_is_a_game_that_anybody_may_watch(alice: User, bob: User) -> None:
    game = _invite(alice, "bob")["id"]
    api_of(bob).post(f"/waiting-room/{game}/join")
    assert json.loads(api_of().get(f"/games/{game}").content)["status"] == "playing"


def test_a_declined_invitation_is_over_and_both_can_see_it(alice: User, bob: User) -> None:
    game = _invite(alice, "bob")["id"]
    for _ in range(2):
        answer = api_of(bob).post(f"/invitations/{game}/decline")
        assert json.loads(answer.content)["status"] == "declined"
    assert slug(api_of(bob).post(f"/invitations/{game}/accept")) == "not-waiting"
    assert json.loads(api_of(alice).get(f"/games/{game}").content)["status"] == "declined"
    assert api_of().get(f"/games/{game}").status_code == 404


def test_an_invitation_is_withdrawn_by_its_sender(alice: User, bob: User) -> None:
    game = _invite(alice, "bob")["id"]
    assert api_of(bob).delete(f"/waiting-room/{game}").status_code == 403
    assert json.loads(api_of(alice).delete(f"/waiting-room/{game}").content)["status"] == "withdrawn"
    assert slug(api_of(bob).post(f"/invitations/{game}/accept")) == "not-waiting"


def test_an_invitation_expires_after_fourteen_days(alice: User, bob: User) -> None:
    game = _invite(alice, "bob")["id"]
    with clock.stopped(NOW + 14 * DAY):
        assert _invitations(bob)["received"] == []
        assert slug(api_of(bob).post(f"/invitations/{game}/accept")) == "not-waiting"
    assert Game.objects.get().status == "expired"


def test_the_sender_does_not_accept_their_own_invitation(alice: User, bob: User) -> None:
    game = _invite(alice, "bob")["id"]
    assert slug(api_of(alice).post(f"/waiting-room/{game}/join")) == "own-game"
    assert slug(api_of(alice).post(f"/invitations/{game}/accept")) == "not-found"


def _mailed(
    creator: User, mailbox: list[EmailMessage], run: DjangoCaptureOnCommitCallbacks, **more: Any
) -> tuple[dict[str, Any], str]:
    with run(execute=True):
        game = _invite(creator, "eve@stranger.example", **more)
    (mail,) = mailbox
    assert mail.to == ["eve@stranger.example"]
    found = re.search(r"http://testserver/join/([\w-]+)/", str(mail.body))
    assert found
    return game, found[1]


def test_a_stranger_is_invited_by_mail_and_takes_the_game_by_its_link(
    alice: User,
    charlie: User,
    mailoutbox: list[EmailMessage],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    game, token = _mailed(alice, mailoutbox, django_capture_on_commit_callbacks, message="Come & play")
    assert "alice invites you to a game of American checkers" in mailoutbox[0].subject
    assert "Come & play" in str(mailoutbox[0].body)
    assert token not in api_of(alice).get(f"/games/{game['id']}").content.decode()
    (sent,) = _invitations(alice)["sent"]
    assert sent["email"] == "eve@stranger.example"
    begun = json.loads(api_of(charlie).post(f"/join/{token}").content)
    assert (begun["id"], begun["players"]["second"]) == (game["id"], {"username": "charlie"})
    assert slug(api_of(charlie).post(f"/join/{token}")) == "not-waiting"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({}, ["Time: 3 days per move.\n", "You can play at once, without an account."]),
        ({"rated": True}, ["Time: 3 days per move. The game is rated.\n", "You'll need an account"]),
        ({"start": "W:W32,31,K30:B1,2,K3"}, ["It begins from a position that alice chose."]),
    ],
)
def test_the_mail_tells_the_terms_and_whether_an_account_is_needed(
    options: dict[str, Any],
    says: list[str],
    alice: User,
    mailoutbox: list[EmailMessage],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    _mailed(alice, mailoutbox, django_capture_on_commit_callbacks, **options)
    for text in says:
        assert text in str(mailoutbox[0].body)


def test_the_mail_is_stored_with_the_invitation(alice: User, mailoutbox: list[EmailMessage]) -> None:
    _invite(alice, "eve@stranger.example")
    assert len(mailoutbox) == 1  # in the same transaction, which this test never commits


def test_a_link_that_leads_nowhere_and_ones_own_are_refused(
    alice: User,
    bob: User,
    mailoutbox: list[EmailMessage],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    _invite(alice, "bob")
    _, token = _mailed(alice, mailoutbox, django_capture_on_commit_callbacks)
    assert slug(api_of(bob).post(f"/join/{token[:-1]}")) == "not-found"
    assert slug(api_of(alice).post(f"/join/{token}")) == "own-game"


def test_an_address_with_an_account_is_answered_like_any_other(alice: User, bob: User) -> None:
    known, unknown = _invite(alice, bob.email), _invite(alice, "x@stranger.example")
    alike = {"id", "created_at", "expires_at"}
    assert {k: v for k, v in known.items() if k not in alike} == {
        k: v for k, v in unknown.items() if k not in alike
    }
    assert _invitations(bob)["received"] == []


def test_the_hosts_limit_of_mails_is_kept(alice: User, settings: Any) -> None:
    settings.LIMITS = settings.LIMITS | {"invitations": "1/d"}
    _invite(alice, "x@stranger.example")
    answer = api_of(alice).post("/games", TERMS | {"opponent": "y@stranger.example"})
    assert (answer.status_code, slug(answer)) == (429, "too-many")


def test_a_former_opponent_is_invited_again_with_the_sides_swapped(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob, vacation=True, draw_rules="itsyourturn"), "11-15")
    path = f"/games/{game.public_id}/rematch"
    assert api_of(bob).post(path, {}).status_code == 409
    api_of(alice).post(f"/games/{game.public_id}/resign")
    answer = api_of(bob).post(path, {"message": "Again?"})
    assert answer.status_code == 201
    again = json.loads(answer.content)
    assert (again["invited"], again["players"]["first"]) == ({"username": "alice"}, {"username": "bob"})
    assert (again["vacation"], again["draw_rules"], again["days_per_move"]) == (True, "itsyourturn", 3)
    assert _invitations(alice)["received"][0]["message"] == "Again?"


@pytest.mark.parametrize("closed_at", [NOW, None], ids=["closed", "locked"])
def test_an_account_that_is_gone_is_not_invited_again(
    alice: User, bob: User, closed_at: datetime | None
) -> None:
    game = play_moves(make_game(alice, bob), "11-15")
    api_of(alice).post(f"/games/{game.public_id}/resign")
    User.objects.filter(pk=bob.pk).update(is_active=False, closed_at=closed_at)
    answer = api_of(alice).post(f"/games/{game.public_id}/rematch", {})
    assert (answer.status_code, json.loads(answer.content)["detail"]) == (
        409,
        "The account of bob is closed.",
    )


def test_only_its_players_can_ask_for_another_game(alice: User, bob: User, charlie: User) -> None:
    game = make_game(alice, bob)
    api_of(alice).post(f"/games/{game.public_id}/resign")
    assert slug(api_of(charlie).post(f"/games/{game.public_id}/rematch", {})) == "not-a-player"


def test_the_ballot_can_be_chosen_in_an_invitation_only(alice: User, bob: User) -> None:
    made = _invite(alice, "bob", variant="pro", opening=5)
    assert (made["opening"], made["moves"], made["opening_plies"]) == (5, [], 0)
    begun = json.loads(api_of(bob).post(f"/invitations/{made['id']}/accept").content)
    assert (begun["opening"], begun["opening_plies"], begun["version"]) == (5, 3, 3)
    for terms in (
        {"variant": "pro", "opening": 5},
        {"opponent": "bob", "opening": 5},
        {"variant": "pro", "opponent": "bob", "opening": 999},
    ):
        assert api_of(alice).post("/games", TERMS | terms).status_code == 422


def test_a_message_that_is_too_long_is_refused(alice: User, bob: User) -> None:
    answer = api_of(alice).post("/games", TERMS | {"opponent": "bob", "message": "x" * 1001})
    assert (answer.status_code, slug(answer)) == (422, "unprocessable")
    assert not Game.objects.exists()


def test_a_game_that_has_begun_cannot_be_declined(alice: User, bob: User) -> None:
    made = _invite(alice, "bob")["id"]
    api_of(bob).post(f"/invitations/{made}/accept")
    assert slug(api_of(bob).post(f"/invitations/{made}/decline")) == "not-waiting"
    assert fresh(Game.objects.get()).status == "playing"


def test_a_player_has_only_so_many_invitations_by_link(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "_MAX_BY_LINK", 2)
    options = GameOptions(variant="american", colour="first", days_per_move=3)
    _invite(alice, "eve@x.example")
    offered = [services.offer_by_link(creator=alice, options=options, now=NOW) for _ in range(2)]
    with pytest.raises(Conflict, match="at most 2 invitations by link"):
        services.offer_by_link(creator=alice, options=options, now=NOW)
    withdraw_waiting(user=alice, game_id=offered[0].public_id, now=NOW)
    assert services.offer_by_link(creator=alice, options=options, now=NOW).status == "waiting"


def test_the_api_has_many_invitations_in_parts(alice: User) -> None:
    options = GameOptions(variant="american", colour="first", days_per_move=3)
    ids = [
        services.offer_by_link(creator=alice, options=options, now=clock.now()).public_id for _ in range(32)
    ]
    parts = [
        [
            entry["game"]["id"]
            for entry in json.loads(api_of(alice).get("/invitations", **query).content)["sent"]
        ]
        for query in ({}, {"offset": 30}, {"offset": 1, "limit": 2})
    ]
    assert parts == [ids[:1:-1], ids[1::-1], ids[30:28:-1]]
