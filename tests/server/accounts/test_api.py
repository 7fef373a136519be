"""Accounts over the API, as a stranger's script uses it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.sessions.models import Session
from django.core import mail
from django.http import HttpResponse
from django.test import Client
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from pytest_django import Settings

from crownhead.server.accounts.models import ApiToken, User
from tests.server.conftest import PASSWORD, Api, make_user

pytestmark = pytest.mark.django_db

NEW = {"username": "Dora", "email": "dora@club.example", "password": PASSWORD}


def test_an_account_is_made_and_can_get_a_token_and_say_who_it_is(api: Api) -> None:
    made = api.post("/accounts", NEW)
    assert (made.status_code, made.json()) == (201, {"username": "Dora"})
    token = api.post("/tokens", {"username": "Dora", "password": PASSWORD})
    assert token.status_code == 201
    me = Api(token.json()["token"]).get("/me")
    assert me.status_code == 200
    assert me.json()["username"] == "Dora"
    assert me.json()["email"] == "dora@club.example"
    assert me.json()["email_confirmed"] is False


def test_signing_up_sends_a_link_that_confirms_the_address(api: Api, client: Client) -> None:
    api.post("/accounts", NEW)
    (letter,) = mail.outbox
    assert letter.to == ["dora@club.example"]
    link = re.search(r"http://testserver(/accounts/confirm-email/\S+)", str(letter.body))
    assert link
    client.post(link[1])
    assert EmailAddress.objects.get(email="dora@club.example").verified


@pytest.mark.parametrize("verification", ["optional", "mandatory"])
def test_a_program_is_given_no_cookies(api: Api, alice: User, settings: Settings, verification: str) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = verification
    for body in (NEW, NEW | {"username": "Dorothy", "email": alice.email}):
        assert api.post("/accounts", body).status_code == 201
    assert api.post("/tokens", {"username": "alice", "password": PASSWORD}).status_code == 201
    assert not api.client.cookies
    assert not Session.objects.exists()


def test_the_token_is_stored_only_as_a_hash(api: Api, alice: User) -> None:
    token = api.post("/tokens", {"username": "alice", "password": PASSWORD}).json()["token"]
    kept = ApiToken.objects.get(user=alice)
    assert token not in kept.digest
    assert len(token) >= 40


def test_a_token_can_be_had_by_e_mail_address_and_in_any_case(api: Api, alice: User) -> None:
    for name in ("alice@club.example", "ALICE@club.example", "Alice", "alice"):
        assert api.post("/tokens", {"username": name, "password": PASSWORD}).status_code == 201
    assert alice.api_tokens.count() == 4


def test_an_ended_token_opens_nothing(api: Api, alice: User) -> None:
    as_alice = api.as_(alice)
    assert as_alice.delete("/tokens/current").status_code == 204
    answer = as_alice.get("/me")
    assert_problem(answer, 401, "not-signed-in")
    assert answer["WWW-Authenticate"] == "Bearer"


def test_a_token_of_a_closed_account_opens_nothing(api: Api, alice: User) -> None:
    as_alice = api.as_(alice)
    User.objects.update(is_active=False)
    assert_problem(as_alice.get("/me"), 401, "not-signed-in")
    refused = api.post("/tokens", {"username": "alice", "password": PASSWORD})
    assert_problem(refused, 401, "not-signed-in")


@pytest.mark.parametrize("name", ["alice", "ALICE", "a-l-i-c-e", "al1ce", "aI1ce", "alLce"])
def test_a_name_that_looks_like_a_taken_one_is_taken(api: Api, alice: User, name: str) -> None:
    answer = api.post("/accounts", NEW | {"username": name})
    assert_problem(answer, 409, "conflict")
    assert answer.json()["errors"][0]["where"] == "body.username"
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    "name", ["ab", "x" * 21, "-dora", "do ra", "dora!", "dörа", "", "../dora", "dora\nx"]
)
def test_a_name_that_is_not_well_formed_is_refused(api: Api, name: str) -> None:
    assert_problem(api.post("/accounts", NEW | {"username": name}), 422, "unprocessable")
    assert not User.objects.exists()


def test_a_reserved_name_is_refused(api: Api) -> None:
    assert_problem(api.post("/accounts", NEW | {"username": "Staff"}), 409, "conflict")


def test_everything_wrong_is_said_at_once_and_where(api: Api) -> None:
    answer = api.post("/accounts", {"username": "a b c", "email": "nowhere", "password": "12345678"})
    assert_problem(answer, 422, "unprocessable")
    assert {fault["where"] for fault in answer.json()["errors"]} == {
        "body.username",
        "body.email",
        "body.password",
    }


def test_a_taken_address_is_answered_like_a_free_one(api: Api, alice: User) -> None:
    answer = api.post("/accounts", NEW | {"email": alice.email})
    assert (answer.status_code, answer.json()) == (201, {"username": "Dora"})


def test_only_one_account_can_confirm_an_address(api: Api, client: Client, alice: User) -> None:
    api.post("/accounts", NEW | {"email": "of-both@club.example"})
    link = re.search(r"http://testserver(/accounts/confirm-email/\S+)", str(mail.outbox[-1].body))
    assert link
    EmailAddress.objects.filter(user=alice).update(email="of-both@club.example")
    client.post(link[1])
    assert not EmailAddress.objects.get(user__username="Dora").verified


def test_a_wrong_password_and_an_unknown_name_are_answered_alike(api: Api, alice: User) -> None:
    wrong = api.post("/tokens", {"username": alice.username, "password": "not this one"})
    unknown = api.post("/tokens", {"username": "nobody", "password": "not this one"})
    assert_problem(wrong, 401, "not-signed-in")
    assert wrong.json() == unknown.json()


def test_guessing_a_password_is_stopped_after_some_tries(api: Api, alice: User) -> None:
    body = {"username": alice.username, "password": "a wrong guess"}
    statuses = [api.post("/tokens", body).status_code for _ in range(12)]
    assert statuses == [401] * 10 + [429] * 2
    assert api.post("/tokens", {"username": alice.username, "password": PASSWORD}).status_code == 429


def test_a_club_that_asks_for_confirmed_addresses_gives_no_token_before(
    api: Api, client: Client, settings: Settings
) -> None:
    settings.CONFIRM_EMAIL, settings.ACCOUNT_EMAIL_VERIFICATION = True, "mandatory"
    assert api.post("/accounts", NEW).status_code == 201
    credentials = {"username": "Dora", "password": PASSWORD}
    assert_problem(api.post("/tokens", credentials), 403, "forbidden")
    link = re.search(r"http://testserver(/accounts/confirm-email/\S+)", str(mail.outbox[-1].body))
    assert link
    client.post(link[1])
    assert api.post("/tokens", credentials).status_code == 201


def test_such_a_club_tells_the_owner_of_a_taken_address_and_nobody_else(
    api: Api, alice: User, settings: Settings
) -> None:
    settings.CONFIRM_EMAIL, settings.ACCOUNT_EMAIL_VERIFICATION = True, "mandatory"
    answer = api.post("/accounts", NEW | {"email": alice.email})
    assert (answer.status_code, answer.json()) == (201, {"username": "Dora"})
    assert "already have an account" in mail.outbox[-1].subject
    assert "confirm-email" not in str(mail.outbox[-1].body)
    assert not EmailAddress.objects.get(user__username="Dora").verified


def test_sign_ups_from_one_address_are_limited(api: Api, settings: Settings) -> None:
    settings.LIMITS = settings.LIMITS | {"signup": "2/h"}
    for number in (1, 2):
        body = NEW | {"username": f"player-{number}", "email": f"p{number}@club.example"}
        assert api.post("/accounts", body).status_code == 201
    answer = api.post("/accounts", NEW)
    assert_problem(answer, 429, "too-many")
    assert 0 < int(answer["Retry-After"]) <= 3600


def test_a_session_may_read_and_needs_a_csrf_token_to_change(alice: User) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(alice)
    assert browser.get("/api/v1/me").json()["username"] == "alice"
    assert_problem(browser.delete("/api/v1/tokens/current"), 403, "forbidden")
    browser.get("/accounts/email/")
    token = browser.cookies["csrftoken"].value
    assert browser.delete("/api/v1/tokens/current", headers={"X-CSRFToken": token}).status_code == 204


@pytest.mark.parametrize(
    ("header", "status"),
    [
        ("Bearer", 401),
        ("Bearer nonsense", 401),
        ("Bearer \xff\xfe", 401),
        ("Basic YTpi", 401),
        ("nonsense", 401),
    ],
)
def test_a_header_that_is_no_token_in_use_is_refused(client: Client, header: str, status: int) -> None:
    assert_problem(client.get("/api/v1/me", headers={"Authorization": header}), status, "not-signed-in")


@pytest.mark.parametrize("path", ["/accounts", "/tokens"])
@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 422),
        (b" ", 400),
        (b"{", 400),
        (b"\xff\xfe", 400),
        (b"NaN", 400),
        (b"[" * 100_000, 400),
        (b'{"username":' * 50 + b"1" + b"}" * 50, 400),
        (b'{"username": "a\\u0000b", "email": "a@b.example", "password": "a quiet corner"}', 400),
        (b'{"username": "a\\ud800b", "email": "a@b.example", "password": "a quiet corner"}', 400),
        (b"9" * 5000, 400),
        (b"null", 422),
        (b"[]", 422),
        (b"{}", 422),
        (b'"text"', 422),
        (b'{"username": 1, "email": 2, "password": 3}', 422),
        (b'{"username": null, "email": null, "password": null}', 422),
        (b'{"username": ["a"], "email": {"a": 1}, "password": true}', 422),
        (b'{"username": "' + b"x" * 100_000 + b'", "email": "a@b.example", "password": "y"}', 422),
    ],
)
def test_a_body_that_makes_no_sense_is_a_problem_and_changes_nothing(
    api: Api, path: str, body: bytes, status: int
) -> None:
    assert_problem(api.send("POST", path, body), status)
    assert not User.objects.exists()


def test_a_body_that_is_not_json_by_its_own_word_is_refused(api: Api) -> None:
    answer = api.send("POST", "/accounts", b"username=dora", content_type="application/x-www-form-urlencoded")
    assert_problem(answer, 415, "unsupported-media")


def test_a_body_of_megabytes_is_refused(api: Api) -> None:
    assert_problem(api.send("POST", "/accounts", b'"' + b"x" * 3_000_000 + b'"'), 413, "too-large")


@pytest.mark.parametrize(("method", "path"), [("PUT", "/me"), ("DELETE", "/accounts"), ("PUT", "/tokens")])
def test_a_wrong_method_says_which_are_right(api: Api, method: str, path: str) -> None:
    answer = api.send(method, path, b"")
    assert_problem(answer, 405, "wrong-method")
    assert answer["Allow"]


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
_fields = st.fixed_dictionaries({}, optional={"username": _json, "email": _json, "password": _json})


@hypothesis_settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(path=st.sampled_from(["/accounts", "/tokens"]), body=_fields | _json)
def test_no_json_makes_the_server_fail(api: Api, path: str, body: Any) -> None:
    answer = api.post(path, body)
    if answer.status_code != 201:
        assert answer.status_code in {400, 401, 409, 422, 429}
        assert answer["Content-Type"] == "application/problem+json"


@hypothesis_settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(path=st.sampled_from(["/accounts", "/tokens"]), body=st.binary(max_size=60))
def test_no_bytes_make_the_server_fail(api: Api, path: str, body: bytes) -> None:
    answer = api.send("POST", path, body)
    assert answer.status_code in {400, 422}
    assert answer["Content-Type"] == "application/problem+json"


def test_the_name_is_stored_as_it_was_typed(api: Api) -> None:
    make_user("someone-else")
    api.post("/accounts", NEW | {"username": "DoRa_9"})
    assert User.objects.filter(username="DoRa_9").exists()


def assert_problem(answer: Any, status: int, slug: str | None = None) -> None:
    """`answer` is a problem document of this status and kind."""
    assert isinstance(answer, HttpResponse)
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    document = answer.json()  # type: ignore[attr-defined]
    assert document["status"] == status
    assert document["title"]
    assert document["detail"]
    if slug:
        assert document["type"] == f"urn:crownhead:problem:{slug}"
