"""Notices over HTTP."""

from __future__ import annotations

import json
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.test import Client

from crownhead.server.accounts.choices import Scope
from crownhead.server.accounts.models import User
from crownhead.server.accounts.tokens.services import new_token, revoke_token
from crownhead.server.core import exports
from crownhead.server.notices.models import Delivery, Device, Reader
from tests.server.conftest import PASSWORD, Api
from tests.server.notices.browsers import Browser
from tests.server.notices.factories import make_notice
from tests.server.play.factories import NOW, make_game, play_moves, slug

pytestmark = pytest.mark.django_db


def put(api: Api, path: str, body: Any) -> Any:
    return api.send("PUT", path, json.dumps(body).encode())


def test_the_list_has_your_notifications_the_latest_first(api: Api, alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15")
    body = api.as_(bob).get("/notices").json()
    assert body["unread"] == 1
    assert body["next"] is None
    (notice,) = body["items"]
    assert notice.pop("id")
    assert notice == {
        "kind": "turn",
        "at": "2026-03-01T12:00:00Z",
        "subject": "Your turn against alice",
        "text": "alice played 11-15 in American checkers. Your time runs out on 4 March 2026, 12:00 UTC.",
        "link": f"/games/{game.public_id}/",
        "read_at": None,
    }


def test_a_guest_has_none(api: Api) -> None:
    assert api.get("/notices").status_code == 401
    assert api.get("/push").status_code == 401


def test_lists_come_in_pages_by_cursor(api: Api, alice: User) -> None:
    for number in range(5):
        make_notice(alice, f"Thing {number}")
    mine = api.as_(alice)
    first = mine.get("/notices", limit=3).json()
    second = mine.get("/notices", limit=3, cursor=first["next"]).json()
    told = [notice["subject"] for notice in first["items"] + second["items"]]
    assert told == [f"Thing {number}" for number in (4, 3, 2, 1, 0)]
    assert second["next"] is None


def test_one_is_read_and_then_all(api: Api, alice: User) -> None:
    for number in range(3):
        make_notice(alice, f"Thing {number}")
    mine = api.as_(alice)
    first = mine.get("/notices").json()["items"][0]
    assert mine.post(f"/notices/{first['id']}/read").json()["read_at"] == "2026-03-01T12:00:00Z"
    unread = mine.get("/notices", unread=1).json()["items"]
    assert [row["subject"] for row in unread] == ["Thing 1", "Thing 0"]
    assert mine.post("/notices/read").json() == {"read": 2}
    assert mine.post("/notices/read").json() == {"read": 0}


def test_somebody_elses_notice_is_not_there(api: Api, alice: User, bob: User) -> None:
    notice = make_notice(alice, "The hall is heated")
    assert slug(api.as_(bob).post(f"/notices/{notice.public_id}/read")) == "not-found"


def test_preferences_name_every_kind_and_channel(api: Api, alice: User) -> None:
    body = api.as_(alice).get("/notices/preferences").json()
    assert body["digest_hour"] == 8
    assert body["kinds"]["turn"] == {"site": "now", "mail": "away", "push": "now"}


def test_what_is_named_changes_and_the_rest_stays(api: Api, alice: User) -> None:
    mine = api.as_(alice)
    wish = {"kinds": {"turn": {"mail": "daily"}}, "digest_hour": 6}
    changed = put(mine, "/notices/preferences", wish).json()
    assert changed["kinds"]["turn"] == {"site": "now", "mail": "daily", "push": "now"}
    assert changed["digest_hour"] == 6
    assert put(mine, "/notices/preferences", {}).json() == changed


@pytest.mark.parametrize(
    "body",
    [
        {"kinds": {"turn": {"mail": "hourly"}}},
        {"kinds": {"turns": {"mail": "now"}}},
        {"kinds": {"turn": {"pigeon": "now"}}},
        {"kinds": {"turn": {"site": "away"}}},
        {"digest_hour": 24},
        {"kinds": []},
    ],
)
def test_a_wish_that_makes_no_sense_is_refused(api: Api, alice: User, body: Any) -> None:
    assert slug(put(api.as_(alice), "/notices/preferences", body)) == "unprocessable"


def test_a_browser_subscribes_is_listed_and_leaves(api: Api, alice: User) -> None:
    mine, browser = api.as_(alice), Browser()
    answer = mine.post("/push", browser.subscription())
    assert answer.status_code == 201
    assert mine.post("/push", browser.subscription()).json()["id"] == answer.json()["id"]
    (listed,) = mine.get("/push").json()["devices"]
    assert listed == answer.json()
    assert listed["name"] == "Firefox, Linux"
    assert mine.delete(f"/push/{listed['id']}").status_code == 204
    assert slug(mine.delete(f"/push/{listed['id']}")) == "not-found"


def test_a_browser_leaves_by_its_own_word(api: Api, alice: User) -> None:
    mine, browser = api.as_(alice), Browser()
    mine.post("/push", browser.subscription())
    body = json.dumps({"endpoint": browser.endpoint}).encode()
    assert mine.send("DELETE", "/push", body).status_code == 204
    assert mine.send("DELETE", "/push", body).status_code == 204
    assert not Device.objects.exists()


def test_a_subscription_at_a_private_address_is_refused(api: Api, alice: User) -> None:
    inside = Browser().subscription() | {"endpoint": "https://127.0.0.1/admin"}
    assert slug(api.as_(alice).post("/push", inside)) == "unprocessable"


def test_the_archive_of_your_data_has_your_notifications(alice: User, bob: User) -> None:
    play_moves(make_game(alice, bob), "11-15")
    Browser().subscribe(bob)
    kept = {
        name: json.loads(b"".join(exports.pieces(name, bob)))
        for name in ("notices.json", "notices_sent.json", "notice_preferences.json")
    }
    assert kept["notices.json"][0]["subject"] == "Your turn against alice"
    assert kept["notices_sent.json"][0]["by"] == "mail"
    assert kept["notice_preferences.json"]["devices"][0]["name"] == "Firefox, Linux"
    assert NOW.isoformat() == kept["notices.json"][0]["at"]


def test_the_archive_says_nothing_that_tells_whose_an_address_is(alice: User, bob: User) -> None:
    play_moves(make_game(alice, bob), "11-15")
    Delivery.objects.update(state="failed", trouble="the address belongs to another account")
    Reader.objects.update_or_create(user=bob, defaults={"refused_address": bob.email})
    parts = ("notices_sent.json", "notice_preferences.json")
    kept = b"".join(piece for name in parts for piece in exports.pieces(name, bob)).decode()
    assert json.loads(b"".join(exports.pieces("notices_sent.json", bob))) == [
        {"subject": "Your turn against alice", "by": "mail"}
    ]
    assert bob.email not in kept


def test_a_program_that_plays_adds_no_browser(api: Api, alice: User) -> None:
    token = new_token(user=alice, now=NOW, scopes=[Scope.PLAY])
    headers = {"Authorization": f"Bearer {token}"}
    answer: Any = api.client.post(
        "/api/v1/push", json.dumps(Browser().subscription()), "application/json", headers=headers
    )
    assert slug(answer) == "out-of-scope"
    assert not Device.objects.exists()


def browser_with_push(user: User) -> tuple[Client, str]:
    """A browser in which somebody has signed in, with the endpoint at which it takes push messages."""
    client, browser = Client(), Browser(user.username + str(Device.objects.count()))
    client.post("/accounts/login/", {"login": user.username, "password": PASSWORD})
    answer = client.post("/api/v1/push", json.dumps(browser.subscription()), "application/json")
    assert answer.status_code == 201, answer.content
    return client, browser.endpoint


def test_a_session_that_ends_takes_its_push_messages_along(alice: User) -> None:
    (here, mine), (phone, lost) = browser_with_push(alice), browser_with_push(alice)
    assert set(Device.objects.values_list("endpoint", flat=True)) == {mine, lost}

    row = UserSession.objects.get(session_key=phone.cookies["sessionid"].value)
    here.post("/accounts/sessions/", {"end": str(row.pk)})
    assert Device.objects.get().endpoint == mine

    here.post("/accounts/logout/")
    assert not Device.objects.exists()


def test_a_token_that_is_revoked_takes_its_push_messages_along(api: Api, alice: User) -> None:
    token = new_token(user=alice, now=NOW, scopes=[Scope.MANAGE])
    headers = {"Authorization": f"Bearer {token}"}
    api.client.post("/api/v1/push", json.dumps(Browser().subscription()), "application/json", headers=headers)
    assert Device.objects.exists()
    revoke_token(token=token)
    assert not Device.objects.exists()
