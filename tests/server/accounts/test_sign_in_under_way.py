"""A sign-in by the password alone that is under way while something else comes to open the account."""

from __future__ import annotations

import json

import pytest
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db import OperationalError
from django.test import Client
from pytest_django import Settings

from crownhead.server.accounts.adapter import AccountAdapter
from crownhead.server.accounts.models import ApiToken, User
from crownhead.server.accounts.security import factors
from crownhead.server.accounts.tokens import services as tokens
from crownhead.server.core import clock
from crownhead.server.people.services.closing import close_confirmed
from tests.server.accounts.software_keys import new_key
from tests.server.accounts.test_ended_meanwhile import in_the_midst
from tests.server.accounts.test_security import code_of, signed_in, switch_on, with_password
from tests.server.conftest import PASSWORD, Api, make_user

pytestmark = pytest.mark.django_db

LOGIN = "/accounts/login/"


@pytest.fixture
def host(db: None, settings: Settings) -> User:
    settings.STAFF_SECOND_FACTOR = True
    return make_user("hugo", is_staff=True, is_superuser=True)


def test_a_factor_that_is_turned_on_meanwhile_is_asked_for(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner, other = signed_in(alice), Client()
    secret: list[str] = []
    in_the_midst(monkeypatch, AccountAdapter, "login", lambda: secret.append(switch_on(owner)))
    body = {"login": "alice", "password": PASSWORD}

    assert other.post(LOGIN, body)["Location"] == LOGIN

    assert other.get("/api/v1/me").status_code == 401
    assert UserSession.objects.count() == 1
    assert "has changed meanwhile" in other.get(LOGIN).content.decode()
    assert other.post(LOGIN, body)["Location"] == "/accounts/second-factor/"
    other.post("/accounts/second-factor/", {"code": code_of(secret[0])})
    assert other.get("/api/v1/me").status_code == 200


def test_of_a_staff_account_it_is_not_staff(host: User, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, thief = signed_in(host), Client()
    in_the_midst(monkeypatch, AccountAdapter, "login", lambda: switch_on(owner))
    thief.post(LOGIN, {"login": "hugo", "password": PASSWORD})
    assert thief.get("/staff/accounts/user/").status_code == 302
    assert owner.get("/staff/accounts/user/").status_code == 200


def test_a_program_is_asked_for_it_too(alice: User, api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, original = signed_in(alice), tokens.new_token

    def late(**named: object) -> str:
        switch_on(owner)
        return original(**named)  # type: ignore[arg-type]

    monkeypatch.setattr(tokens, "new_token", late)
    answer = api.post("/tokens", {"username": "alice", "password": PASSWORD})

    assert answer.status_code == 401
    assert answer.json()["type"] == "urn:crownhead:problem:second-factor-needed"
    assert not ApiToken.objects.exists()


def test_nothing_stays_of_it_once_the_account_is_closed(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    in_the_midst(
        monkeypatch,
        AccountAdapter,
        "login",
        lambda: close_confirmed(user=User.objects.get(pk=alice.pk), now=clock.now()),
    )
    other = Client()
    other.post(LOGIN, {"login": "alice", "password": PASSWORD})
    assert "_auth_user_id" not in other.session
    assert not UserSession.objects.exists()


def test_a_factor_is_not_turned_on_unless_the_other_sessions_end(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, owner = signed_in(alice), signed_in(alice)
    owner.raise_request_exception = False

    def busy(**_named: object) -> int:
        raise OperationalError("database is locked")

    with monkeypatch.context() as patch:
        patch.setattr(factors, "end_others", busy)
        switch_on(owner)
    assert not Authenticator.objects.exists()
    assert other.get("/api/v1/me").status_code == 200

    switch_on(owner)
    assert other.get("/api/v1/me").status_code == 401
    assert owner.get("/api/v1/me").status_code == 200


def test_the_first_key_ends_the_other_sessions_and_the_second_none(alice: User) -> None:
    other, owner = signed_in(alice), Client(headers={"host": "localhost"})
    owner.post(LOGIN, {"login": "alice", "password": PASSWORD})
    with_password(owner, "/accounts/passkeys/add/")
    _add_key(owner)
    assert other.get("/api/v1/me").status_code == 401

    other.force_login(alice)
    other.post("/accounts/sessions/")  # it is listed
    with_password(owner, "/accounts/passkeys/add/")
    _add_key(owner)
    assert other.get("/api/v1/me").status_code == 200
    assert Authenticator.objects.filter(type="webauthn").count() == 2


def _add_key(browser: Client) -> None:
    key = new_key(browser.session["mfa.webauthn.state"]["challenge"])
    browser.post("/accounts/passkeys/add/", {"name": "mine", "credential": json.dumps(key)})
