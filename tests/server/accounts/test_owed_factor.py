"""What a session has shown of second factors counts for as long as there are such."""

from __future__ import annotations

import json
import re

import pytest
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from crownhead.server.accounts.models import Budget, User
from crownhead.server.accounts.selectors import session_grant
from crownhead.server.config.stream_access import StreamAccess
from tests.server.accounts.software_keys import new_key
from tests.server.accounts.test_security import code_of, signed_in, switch_on, with_password
from tests.server.conftest import PASSWORD, make_user

pytestmark = pytest.mark.django_db

STAFF = "/staff/accounts/user/"


@pytest.fixture(autouse=True)
def _required(settings: Settings) -> None:
    settings.STAFF_SECOND_FACTOR = True


@pytest.fixture
def host(db: None) -> User:
    return make_user("hugo", is_staff=True, is_superuser=True)


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


def test_members_are_not_asked_about(alice: User) -> None:
    """It takes a query, and only staff need it."""
    secret = switch_on(signed_in(alice))
    browser = _by_code(alice, code_of(secret))
    with CaptureQueriesContext(connection) as queries:
        browser.get("/rules/")
    assert not [row for row in queries.captured_queries if "mfa_authenticator" in row["sql"]]


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
