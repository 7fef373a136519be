"""An account that somebody made with the address of another, who then takes it over by a new password."""

from __future__ import annotations

import json
import re

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.sessions.models import Session
from django.core import mail
from django.test import Client
from pytest_django import DjangoCaptureOnCommitCallbacks

from crownhead.server.accounts.models import ApiToken, User
from crownhead.server.notices.models import Device
from tests.server.accounts.software_keys import new_key
from tests.server.accounts.test_security import code_of, signed_in, switch_on
from tests.server.conftest import make_user
from tests.server.notices.browsers import Browser

pytestmark = pytest.mark.django_db

ADDRESS, THIEFS, OWNERS = "victim@person.example", "a corner in the dark 99", "the window over the lake 77"


@pytest.fixture
def thief() -> Client:
    """The browser in which the account was made."""
    browser = Client(headers={"host": "localhost"})
    form = {"username": "chessfan", "email": ADDRESS, "password1": THIEFS}
    assert browser.post("/accounts/signup/", form).status_code == 302
    browser.post("/accounts/reauthenticate/", {"password": THIEFS})
    return browser


def leave_key(browser: Client) -> None:
    browser.get("/accounts/passkeys/add/")
    key = json.dumps(new_key(browser.session["mfa.webauthn.state"]["challenge"]))
    assert browser.post("/accounts/passkeys/add/", {"name": "mine", "credential": key}).status_code == 302


def leave_app(browser: Client) -> None:
    page = browser.get("/accounts/second-factor/app/").content.decode()
    secret = re.search(r'<code class="secret">([A-Z2-7]+)</code>', page)
    assert secret
    browser.post("/accounts/second-factor/app/", {"code": code_of(secret[1])})


def reset() -> Client:
    """Set a password by the link that the mailbox gets."""
    browser = Client(headers={"host": "localhost"})
    browser.post("/accounts/password/reset/", {"email": ADDRESS})
    link = re.search(r"/accounts/password/reset/key/\S+", str(mail.outbox[-1].body))
    assert link
    form = browser.get(link[0], follow=True).redirect_chain[-1][0]
    browser.post(form, {"password1": OWNERS})
    return browser


def test_nothing_stays_of_who_made_it(thief: Client) -> None:
    leave_key(thief)
    leave_app(thief)
    thief.post("/accounts/tokens/new/", {"name": "x", "scopes": ["read", "manage"]})
    subscription = Browser("thief").subscription()
    assert thief.post("/api/v1/push", json.dumps(subscription), "application/json").status_code == 201
    assert set(Authenticator.objects.values_list("type", flat=True)) == {"webauthn", "totp", "recovery_codes"}

    owner = reset()

    for model in (Authenticator, ApiToken, Device):
        assert not model.objects.exists()
    assert not Session.objects.filter(session_key=thief.session.session_key or "").exists()
    answer = owner.post("/accounts/login/", {"login": "chessfan", "password": OWNERS})
    assert answer.headers["Location"] == "/"


def test_second_factors_of_a_confirmed_account_stay(thief: Client) -> None:
    """Else who can read a mailbox would need no second factor."""
    leave_app(thief)
    EmailAddress.objects.update(verified=True)
    owner = reset()
    assert Authenticator.objects.filter(type="totp").exists()
    answer = owner.post("/accounts/login/", {"login": "chessfan", "password": OWNERS})
    assert answer.headers["Location"] == "/accounts/second-factor/"


def test_who_only_wants_to_change_to_an_address_gets_no_new_password_by_it(alice: User) -> None:
    EmailAddress.objects.create(user=alice, email=ADDRESS, verified=False)
    browser = Client(headers={"host": "localhost"})
    browser.post("/accounts/password/reset/", {"email": ADDRESS})
    assert "/accounts/password/reset/key/" not in "".join(str(letter.body) for letter in mail.outbox)
    form = {"username": "victoria", "email": ADDRESS, "password1": OWNERS}
    assert browser.post("/accounts/signup/", form).status_code == 302
    reset()
    assert User.objects.get(username="victoria").check_password(OWNERS)
    assert not User.objects.get(pk=alice.pk).check_password(OWNERS)


@pytest.mark.parametrize("has_row", [True, False])
def test_second_factors_of_the_staff_stay_whatever_was_confirmed(has_row: bool) -> None:
    host = make_user("hugo", is_staff=True)
    EmailAddress.objects.filter(user=host).delete()
    User.objects.filter(pk=host.pk).update(email=ADDRESS)
    if has_row:
        EmailAddress.objects.create(user=host, email=ADDRESS, verified=False)
    browser = signed_in(host)
    switch_on(browser)
    reset()
    assert User.objects.get(pk=host.pk).check_password(OWNERS)
    assert Authenticator.objects.filter(user=host, type="totp").exists()


def test_what_is_taken_away_is_noted(
    thief: Client,
    caplog: pytest.LogCaptureFixture,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    leave_app(thief)
    caplog.clear()
    with django_capture_on_commit_callbacks(execute=True):
        reset()
    noted = [line for line in caplog.messages if "second-factor-removed" in line]
    assert len(noted) == 2
    assert f"user={User.objects.get().pk}" in noted[0]
