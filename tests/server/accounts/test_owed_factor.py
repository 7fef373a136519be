"""A session that knows the password alone of an account with a second factor, and factors that are gone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from crownhead.server.accounts.models import ApiToken, Budget, User
from crownhead.server.accounts.selectors import session_grant
from crownhead.server.accounts.tokens.access import access_token
from crownhead.server.accounts.tokens.services import new_token
from crownhead.server.config.stream_access import StreamAccess
from crownhead.server.core import clock
from tests.server.accounts.software_keys import new_key
from tests.server.accounts.test_security import code_of, signed_in, switch_on, with_password
from tests.server.conftest import PASSWORD, Api, make_user

pytestmark = pytest.mark.django_db

AGAIN = "/accounts/second-factor/again/"
STAFF = "/staff/accounts/user/"


@pytest.fixture(autouse=True)
def _required(settings: Settings) -> None:
    settings.STAFF_SECOND_FACTOR = True


@pytest.fixture
def host(db: None) -> User:
    return make_user("hugo", is_staff=True, is_superuser=True)


def older_session(user: User) -> Client:
    """One that was opened by the password alone, as from before the club noted what was shown."""
    browser = Client(headers={"host": "localhost"})
    browser.force_login(user)
    return browser


@pytest.mark.parametrize(
    "path",
    [
        "/accounts/recovery-codes/",
        "/accounts/recovery-codes/file/",
        "/accounts/recovery-codes/new/",
        "/accounts/second-factor/app/off/",
        "/accounts/passkeys/add/",
        "/accounts/tokens/new/",
    ],
)
def test_the_password_alone_opens_no_page_of_factors_or_tokens(host: User, path: str) -> None:
    switch_on(signed_in(host))
    thief = older_session(host)

    asked = thief.post("/accounts/reauthenticate/", {"password": PASSWORD, "next": path})
    assert asked["Location"].startswith(AGAIN)
    assert thief.get(path)["Location"].startswith(AGAIN)
    thief.post(path, {"name": "x", "scopes": ["read"]})
    assert Authenticator.objects.filter(user=host, type="totp").exists()
    assert not ApiToken.objects.exists()


def test_a_password_that_was_asked_for_before_does_not_count_either(host: User) -> None:
    thief = older_session(host)
    thief.post("/accounts/reauthenticate/", {"password": PASSWORD})
    assert thief.get("/accounts/passkeys/add/").status_code == 200
    Authenticator.objects.create(user=host, type="webauthn", data={})

    assert thief.get("/accounts/passkeys/add/").status_code == 302
    answer = thief.get("/api/v1/tokens")
    assert answer.json()["type"] == "urn:crownhead:problem:authentication-too-old"
    for path in ("/close-account/", "/my-data/", "/accounts/email/"):
        assert thief.post(path, {})["Location"].startswith("/accounts/passkeys/again/")
    host.refresh_from_db()
    assert host.closed_at is None


def test_the_password_alone_closes_no_account(host: User) -> None:
    secret, body = switch_on(signed_in(host)), {"password": PASSWORD}
    thief, program = Api(client=older_session(host)), Api().as_(host)

    assert thief.post("/me/close", body).json()["type"] == "urn:crownhead:problem:authentication-too-old"
    assert program.post("/me/close", body).json()["type"] == "urn:crownhead:problem:second-factor-needed"
    assert program.post("/me/close", body | {"code": "000000"}).status_code == 401
    assert User.objects.filter(pk=host.pk, closed_at=None).exists()

    Budget.objects.all().delete()  # a code counts once
    assert program.post("/me/close", body | {"code": code_of(secret)}).status_code == 204
    assert not User.objects.filter(pk=host.pk, closed_at=None).exists()


def test_who_has_shown_the_factor_closes_the_account_by_the_password(host: User) -> None:
    secret = switch_on(signed_in(host))
    owner = Api(client=_by_code(host, code_of(secret)))
    assert owner.post("/me/close", {"password": PASSWORD}).status_code == 204


def test_wrong_passwords_count_where_a_program_closes_the_account(alice: User, settings: Settings) -> None:
    settings.LIMITS = settings.LIMITS | {"sign_in": "2/h"}
    program = Api().as_(alice)
    wrong, right = {"password": "not that one"}, {"password": PASSWORD}
    assert [program.post("/me/close", wrong).status_code for _ in range(3)] == [403, 403, 429]
    assert program.post("/me/close", right).status_code == 429


def test_the_password_alone_sets_no_other(alice: User) -> None:
    secret, thief, path = switch_on(signed_in(alice)), older_session(alice), "/accounts/password/change/"
    assert thief.get(path)["Location"].startswith(AGAIN)
    asked = thief.post(path, {"oldpassword": PASSWORD, "password1": "another quiet corner"})
    assert asked["Location"].startswith(AGAIN)
    alice.refresh_from_db()
    assert alice.check_password(PASSWORD)

    owner = _by_code(alice, code_of(secret))
    assert owner.get(path).status_code == 200


def test_an_owner_is_asked_for_the_code_once_and_for_the_password_from_then_on(host: User) -> None:
    secret, browser = switch_on(signed_in(host)), older_session(host)
    asked = browser.get("/accounts/recovery-codes/")["Location"]
    assert asked.startswith(AGAIN)
    browser.post(asked, {"code": code_of(secret), "next": "/accounts/recovery-codes/"})
    assert browser.get("/accounts/recovery-codes/").status_code == 200
    assert browser.get(STAFF).status_code == 200
    assert browser.get("/accounts/reauthenticate/").status_code == 200


def test_who_signed_in_with_the_factor_may_enter_the_password_again(alice: User) -> None:
    secret, browser = switch_on(signed_in(alice)), signed_in(alice)
    browser.post("/accounts/second-factor/", {"code": code_of(secret)})
    assert "Recovery codes" in with_password(browser, "/accounts/recovery-codes/")


def test_a_factor_that_was_taken_away_makes_no_session_that_of_staff(host: User) -> None:
    secret, access = switch_on(signed_in(host)), StreamAccess()
    lost = _by_code(host, code_of(secret))
    key = lost.session.session_key or ""
    assert lost.get(STAFF).status_code == 200
    assert not _as_member(access, key)

    owner = _by_code(host, code_of(secret))
    with_password(owner, "/accounts/passkeys/add/")
    sent = new_key(owner.session["mfa.webauthn.state"]["challenge"])
    owner.post("/accounts/passkeys/add/", {"name": "mine", "credential": json.dumps(sent)})
    owner.post("/accounts/second-factor/app/off/")
    assert set(Authenticator.objects.values_list("type", flat=True)) == {"webauthn", "recovery_codes"}

    assert lost.get(STAFF).status_code == 302
    assert _as_member(access, key)
    assert lost.get("/accounts/recovery-codes/").status_code == 302
    assert owner.get(STAFF).status_code == 200, "the key that it made has been shown in it"


def test_a_recovery_code_counts_for_as_long_as_there_is_a_factor(host: User) -> None:
    owner = signed_in(host)
    switch_on(owner)
    page = owner.get("/accounts/recovery-codes/").content.decode()
    codes = re.findall(r"<li><code>(\d{8})</code></li>", page)
    browser = _by_code(host, codes[0])
    owner.post("/accounts/recovery-codes/new/")
    assert browser.get(STAFF).status_code == 200
    Authenticator.objects.filter(user=host, type="totp").delete()
    assert browser.get(STAFF).status_code == 302


def _turned_off(_host: User, browser: Client) -> None:
    browser.post("/accounts/second-factor/app/off/")


def _lost(host: User, _browser: Client) -> None:
    """As told to an administrator, who deletes the row in the back office."""
    administrator = make_user("ada", is_staff=True, is_superuser=True)
    office = signed_in(administrator)
    switch_on(office)
    factor = Authenticator.objects.get(user=host, type="totp")
    office.post(f"/staff/mfa/authenticator/{factor.pk}/delete/", {"post": "yes"})


def _deleted_with_the_codes(host: User, _browser: Client) -> None:
    Authenticator.objects.filter(user=host).delete()


def _replaced_by_a_key(_host: User, browser: Client) -> None:
    with_password(browser, "/accounts/passkeys/add/")
    sent = new_key(browser.session["mfa.webauthn.state"]["challenge"])
    browser.post("/accounts/passkeys/add/", {"name": "mine", "credential": json.dumps(sent)})
    browser.post("/accounts/second-factor/app/off/")


@pytest.mark.parametrize("goes", [_turned_off, _lost, _deleted_with_the_codes, _replaced_by_a_key])
def test_a_token_made_with_a_factor_that_is_gone_counts_as_made_without_one(
    host: User, goes: Callable[[User, Client], None]
) -> None:
    owner = signed_in(host)
    token = _token_by_code(host, switch_on(owner))
    assert access_token(token, needed=None, now=clock.now()).user.acts_as_staff
    assert not StreamAccess().grant_of_token(token).as_member

    goes(host, owner)
    assert not Authenticator.objects.filter(user=host, type="totp").exists()
    cache.clear()
    Budget.objects.all().delete()
    secret = switch_on(signed_in(host))
    assert not access_token(token, needed=None, now=clock.now()).user.acts_as_staff
    assert StreamAccess().grant_of_token(token).as_member

    answer = Api(token).post("/me/close", {"password": PASSWORD})
    assert answer.json()["type"] == "urn:crownhead:problem:second-factor-needed"
    host.refresh_from_db()
    assert host.closed_at is None
    newer = access_token(_token_by_code(host, secret), needed=None, now=clock.now())
    assert newer.user.acts_as_staff


def test_other_recovery_codes_change_nothing_about_tokens(host: User) -> None:
    owner = signed_in(host)
    _token_by_code(host, switch_on(owner))
    owner.post("/accounts/recovery-codes/new/")
    assert ApiToken.objects.get().with_factor


def test_a_token_that_is_made_as_its_factor_goes_is_made_without_one(host: User) -> None:
    new_token(user=host, now=clock.now(), with_factor=True)
    assert not ApiToken.objects.get().with_factor


def test_members_are_not_asked_about(alice: User) -> None:
    """It takes a query, and only staff need it."""
    secret = switch_on(signed_in(alice))
    browser = _by_code(alice, code_of(secret))
    with CaptureQueriesContext(connection) as queries:
        browser.get("/rules/")
    assert not [row for row in queries.captured_queries if "mfa_authenticator" in row["sql"]]


def _token_by_code(user: User, secret: str) -> str:
    """Of a program that has signed in with the password and a code."""
    Budget.objects.all().delete()
    body = {"username": user.username, "password": PASSWORD, "code": code_of(secret)}
    answer = Api().post("/tokens", body | {"scopes": ["read", "manage"]})
    return str(answer.json()["token"])


def _by_code(user: User, code: str) -> Client:
    cache.clear()
    Budget.objects.all().delete()  # a code counts once, and others may have been typed
    browser = Client(headers={"host": "localhost"})
    browser.post("/accounts/login/", {"login": user.username, "password": PASSWORD})
    browser.post("/accounts/second-factor/", {"code": code})
    return browser


def _as_member(access: StreamAccess, key: str) -> bool:
    grants = (access.grant_of_session(key), session_grant(key))
    answers = {grant.as_member for grant in grants if grant is not None}
    assert len(answers) == 1
    return answers.pop()
