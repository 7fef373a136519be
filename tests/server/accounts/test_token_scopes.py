"""What tokens allow and how long: enforced for every operation of the API, and stated in its document."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from pytest_django import Settings

from crownhead.server.accounts.choices import Scope
from crownhead.server.accounts.contacts.services import add_buddy
from crownhead.server.accounts.models import ApiToken, User
from crownhead.server.accounts.tokens import services as token_services
from crownhead.server.config.api import api as club_api
from crownhead.server.core import clock
from crownhead.server.notices.selectors.reading import notices_of
from crownhead.server.play.chat.services import send_message
from crownhead.server.play.draws.services import resign
from crownhead.server.play.models import ChatLine
from crownhead.server.social.services import messages
from crownhead.server.teams.models import Team
from tests.server.conftest import PASSWORD, Api
from tests.server.notices.browsers import Browser
from tests.server.play.factories import NOW, make_game
from tests.server.teams.factories import make_team

pytestmark = pytest.mark.django_db

METHODS = {"get", "post", "put", "patch", "delete"}
WHATEVER = {"token_id": "1", "number": "1", "post_id": "1", "table": "1", "page": "1"}


def operations() -> list[tuple[str, str, dict[str, Any]]]:
    """Method, path and description of every operation in the document."""
    document = club_api.get_openapi_schema(path_prefix="/api/v1/")
    return [
        (method, path, details)
        for path, methods in document["paths"].items()
        for method, details in methods.items()
        if method in METHODS
    ]


def stated_scope(details: dict[str, Any]) -> list[str] | None:
    """The scopes that the document names for tokens; None where no token is taken."""
    return next((way["Bearer"] for way in details.get("security") or () if "Bearer" in way), None)


def with_scopes(user: User, *scopes: Scope) -> Api:
    return Api(token_services.new_token(user=user, now=clock.now(), scopes=scopes))


# Their answers show what else takes the scope to read: all of what they change a part of, or what was there.
SHOWING = {
    "add_buddy": ["talk", "read"],
    "create_appeal": ["talk", "read"],
    "mark_conversation_read": ["talk", "read"],
    "mark_notification_read": ["play", "read"],
    "send_chat_message": ["talk", "read"],
    "update_me": ["talk", "read"],
    "change_preferences": ["play", "read"],
    "change_notification_preferences": ["play", "read"],
}


# Their answers have words, and none that was not sent.
ECHOING = {"create_report", "create_team_post", "reply", "send_message", "set_note"}
WORDS = {"answer", "email", "message", "note", "reason", "subject", "text"}


def fields_of(part: Any, known: set[str]) -> set[str]:
    """The names of all fields that an answer may have, in what it refers to as well."""
    names: set[str] = set()
    for name in set(re.findall(r"'#/components/schemas/(\w+)'", str(part))) - known:
        known.add(name)
        schema = club_api.get_openapi_schema()["components"]["schemas"][name]
        names |= set(schema.get("properties", ())) | fields_of(schema, known)
    return names


def test_the_document_states_the_scopes_for_every_operation_that_takes_tokens() -> None:
    stated = {details["operationId"]: stated_scope(details) for _method, _path, details in operations()}
    others = {name: scopes for name, scopes in stated.items() if scopes is not None and len(scopes) != 1}
    assert others == SHOWING | {"end_current_token": []}
    assert {name for name, scopes in stated.items() if scopes == ["manage"]} == {
        "add_push_device",
        "close_account",
        "create_archive",
        "download_archive",
        "end_token",
        "list_archives",
        "list_tokens",
    }


def test_reading_needs_no_more_than_the_scope_to_read() -> None:
    reading = {details["operationId"] for method, _path, details in operations() if method == "get"}
    more = {
        details["operationId"]
        for _method, _path, details in operations()
        if details["operationId"] in reading and stated_scope(details) not in (None, ["read"])
    }
    assert more == {"list_tokens", "list_archives", "download_archive"}


def test_changes_that_answer_with_words_take_the_scope_to_read_unless_these_were_sent() -> None:
    wordy = {
        details["operationId"]
        for method, _path, details in operations()
        if method != "get" and fields_of(details["responses"], {"Problem"}) & WORDS
    }
    assert wordy == set(SHOWING) - {"change_preferences", "change_notification_preferences"} | ECHOING


def test_a_token_is_held_to_its_scopes_by_every_operation(alice: User) -> None:
    tokens = {scope: with_scopes(alice, *(set(Scope) - {scope})) for scope in Scope}
    tried = 0
    for method, path, details in operations():
        if not (stated := stated_scope(details)) or path.endswith("/events"):
            continue
        address = re.sub(r"\{(\w+)\}", lambda found: WHATEVER.get(found[1], "x"), path)
        token = tokens[Scope(stated[0])].token
        answer = Client().generic(
            method.upper(),
            address,
            b"{}" if "requestBody" in details else b"",
            content_type="application/json",
            headers={"Authorization": f"Bearer {token}"},
        )
        assert answer.status_code == 403, (method, path, answer.content)
        assert answer.json()["type"] == "urn:crownhead:problem:out-of-scope"
        assert answer.json()["scope"] == stated[0]
        tried += 1
    assert tried > 100


@pytest.mark.parametrize(
    ("method", "path", "scope"),
    [
        ("PATCH", "/me", Scope.TALK),
        ("PATCH", "/preferences", Scope.PLAY),
        ("PUT", "/notices/preferences", Scope.PLAY),
    ],
)
def test_a_change_of_nothing_shows_nothing_to_a_token_that_may_not_read(
    alice: User, method: str, path: str, scope: Scope
) -> None:
    answer = with_scopes(alice, scope).send(method, path, b"{}")
    assert (answer.status_code, answer.json().get("scope")) == (403, "read")
    assert b"alice@club.example" not in answer.content
    assert with_scopes(alice, scope, Scope.READ).send(method, path, b"{}").status_code == 200


def test_a_token_that_may_not_read_is_not_answered_with_what_others_wrote(alice: User, bob: User) -> None:
    with clock.stopped(NOW):
        game = make_game(alice, bob).public_id
        send_message(user=bob, game_id=game, text="a secret", now=NOW)
        letter = messages.write(user=bob, to="alice", subject="", text="a secret", now=NOW)
        add_buddy(user=alice, other=bob, note="a secret", now=NOW)
        notice = notices_of(alice).latest("pk").public_id
        for scope, method, path, body in (
            (Scope.TALK, "POST", f"/games/{game}/chat", {"message": "Hi"}),
            (Scope.TALK, "POST", f"/games/{game}/appeals", {"claim": "win", "reason": "Look."}),
            (Scope.TALK, "POST", f"/conversations/{letter.conversation.public_id}/read", {}),
            (Scope.PLAY, "POST", f"/notices/{notice}/read", {}),
            (Scope.TALK, "PUT", "/buddies/bob", {}),
        ):
            answer = with_scopes(alice, scope).send(method, path, json.dumps(body).encode())
            assert (answer.status_code, answer.json().get("scope")) == (403, "read"), path
            answer = with_scopes(alice, scope, Scope.READ).send(method, path, json.dumps(body).encode())
            assert answer.status_code == 200, path


def test_words_beside_a_move_or_an_invitation_take_the_scope_to_write(alice: User, bob: User) -> None:
    game, over, team = make_game(alice, bob).public_id, make_game(alice, bob).public_id, make_team(bob)
    terms = {"variant": "american", "colour": "first", "days_per_move": 3, "opponent": "bob"}
    with clock.stopped(NOW):
        program = with_scopes(alice, Scope.READ, Scope.PLAY)
        resign(user=bob, game_id=over, now=NOW)
        for path, body in (
            (f"/games/{game}/moves", {"move": "11-15", "version": 0}),
            ("/games", terms),
            (f"/games/{over}/rematch", {}),
            (f"/teams/{team.public_id}/join", {}),
        ):
            answer = program.post(path, body | {"message": "Hello!"})
            assert (answer.status_code, answer.json().get("scope")) == (403, "talk"), path
            assert program.post(path, body).status_code in {200, 201}, path
        answer = with_scopes(bob, Scope.PLAY).post(f"/teams/{team.public_id}/posts", {"text": "Hello!"})
        assert answer.status_code == 403
        appeal = program.post(f"/games/{game}/appeals", {"claim": "win", "reason": "They are gone."})
        assert (appeal.status_code, appeal.json().get("scope")) == (403, "talk")
    assert not ChatLine.objects.exists()


def test_what_everybody_reads_of_teams_and_tournaments_takes_the_scope_to_write(alice: User) -> None:
    program, team = with_scopes(alice, Scope.READ, Scope.PLAY), make_team(alice, "Green Cats").public_id
    cup = {
        "name": "Cup",
        "format": "round-robin",
        "variant": "american",
        "days_per_move": 3,
        "max_players": 4,
    }
    writer = with_scopes(alice, Scope.PLAY, Scope.TALK)
    made = writer.post("/tournaments", cup | {"about": "Come!", "prizes": ["Gold"]})
    assert made.status_code == 201, made.content
    path = f"/tournaments/{made.json()['id']}"
    for method, address, body, words in (
        ("POST", "/teams", None, {"name": "Buy pills"}),
        ("PUT", f"/teams/{team}", {"name": "Green Cats"}, {"about": "Buy pills"}),
        ("PUT", f"/teams/{team}", {"name": "Green Cats"}, {"name": "Buy pills"}),
        ("POST", "/tournaments", None, cup | {"name": "Buy pills"}),
        ("PUT", path, cup | {"about": "Come!", "prizes": ["Gold"]}, {"about": "Buy pills"}),
        ("PUT", path, cup, {"name": "Buy pills"}),
        ("PUT", path, cup, {"prizes": ["Pills"]}),
        ("POST", f"{path}/cancel", None, {"reason": "Buy pills"}),
    ):
        answer = program.send(method, address, json.dumps((body or {}) | words).encode())
        assert (answer.status_code, answer.json().get("scope")) == (403, "talk"), address
        if body is not None:
            assert program.send(method, address, json.dumps(body).encode()).status_code < 300, address


@pytest.mark.parametrize("about", ["one\r\ntwo", "one\ntwo", " one\ntwo\x07"])
def test_a_text_stored_with_the_line_ends_of_browsers_is_what_stood_there(alice: User, about: str) -> None:
    team = make_team(alice, "Green Cats")
    Team.objects.filter(pk=team.pk).update(about="one\r\ntwo")
    program = with_scopes(alice, Scope.READ, Scope.PLAY)
    body = {"name": "Green Cats", "about": about, "joining": "open"}
    assert program.send("PUT", f"/teams/{team.public_id}", json.dumps(body).encode()).status_code == 200


def test_a_token_has_what_was_asked_for_and_says_so(alice: User, api: Api) -> None:
    body = {"username": "alice", "password": PASSWORD}
    usual = Api(api.post("/tokens", body).json()["token"])
    assert usual.get("/me").status_code == 200
    assert usual.get("/tokens").status_code == 403
    manager = Api(api.post("/tokens", body | {"scopes": ["manage"], "days": 3}).json()["token"])
    newest, older = manager.get("/tokens").json()
    assert (newest["scopes"], older["scopes"]) == (["manage"], ["read", "play", "talk"])
    assert newest["expires_at"]
    assert manager.get("/me").status_code == 403
    wrongs: tuple[dict[str, Any], ...] = ({"scopes": []}, {"scopes": ["rule"]}, {"days": -1})
    for wrong in wrongs:
        assert api.post("/tokens", body | wrong).status_code == 422


def test_any_token_can_end_itself(alice: User) -> None:
    program = with_scopes(alice, Scope.READ)
    assert program.delete("/tokens/current").status_code == 204
    assert program.get("/me").status_code == 401


def test_a_token_expires_after_the_time_that_the_club_sets(alice: User, api: Api, settings: Settings) -> None:
    settings.TOKEN_DAYS = 7
    program = Api(api.post("/tokens", {"username": "alice", "password": PASSWORD}).json()["token"])
    assert program.get("/me").status_code == 200
    with clock.stopped(clock.now() + timedelta(days=7, minutes=1)):
        answer = program.get("/me")
    assert (answer.status_code, answer.json()["type"]) == (401, "urn:crownhead:problem:token-expired")
    assert "Create a new one." in answer.json()["detail"]


def test_zero_days_are_for_ever(alice: User, settings: Settings) -> None:
    settings.TOKEN_DAYS = 0
    token_services.new_token(user=alice, now=clock.now())
    assert ApiToken.objects.get().expires_at is None


def test_expired_tokens_are_forgotten_after_a_while(alice: User) -> None:
    now = clock.now()
    token_services.new_token(user=alice, now=now, days=1)
    token_services.new_token(user=alice, now=now, days=0)
    assert token_services.forget_expired(now=now + timedelta(days=2)) == 0
    assert token_services.forget_expired(now=now + timedelta(days=40)) == 1


def test_a_program_that_signs_in_takes_the_place_of_the_token_unused_for_longest(
    alice: User, api: Api
) -> None:
    now = clock.now()
    for number in range(token_services.MAX_TOKENS):
        token_services.new_token(user=alice, now=now + timedelta(seconds=number), name=f"bot {number}")
    ApiToken.objects.filter(name="bot 0").update(last_used_at=now)
    api.post("/tokens", {"username": "alice", "password": PASSWORD, "name": "new"})
    names = set(ApiToken.objects.values_list("name", flat=True))
    assert len(names) == token_services.MAX_TOKENS
    assert {"new", "bot 0"} <= names
    assert "bot 1" not in names


@pytest.mark.parametrize("by", ["api", "page"])
def test_a_new_token_is_announced_by_mail(alice: User, api: Api, by: str) -> None:
    if by == "api":
        api.post("/tokens", {"username": "alice", "password": PASSWORD})
    else:
        browser = Client()
        browser.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
        browser.post("/accounts/reauthenticate/", {"password": PASSWORD})
        page = {"name": "bot", "scopes": ["read", "play"], "days": "30"}
        assert "until" in browser.post("/accounts/tokens/new/", page, follow=True).content.decode()
    assert [(letter.to, letter.subject) for letter in mail.outbox] == [
        (["alice@club.example"], "[Crownhead] A new API token")
    ]


def test_a_session_that_was_not_authenticated_lately_manages_nothing(alice: User) -> None:
    browser = Client()
    browser.force_login(alice)
    for method, path in (("get", "/tokens"), ("post", "/me/archives"), ("get", "/me/archives")):
        answer = browser.generic(method.upper(), f"/api/v1{path}")
        assert (answer.status_code, answer.json()["type"]) == (
            403,
            "urn:crownhead:problem:authentication-too-old",
        )
    browser.post("/accounts/reauthenticate/", {"password": PASSWORD})
    assert browser.get("/api/v1/tokens").status_code == 200


def test_a_session_adds_a_browser_for_push_messages_at_any_time(alice: User) -> None:
    browser = Client()
    browser.force_login(alice)
    subscription = Browser().subscription()
    del subscription["expirationTime"]
    assert browser.get("/api/v1/tokens").status_code == 403
    answer = browser.post("/api/v1/push", subscription, content_type="application/json")
    assert answer.status_code == 201
