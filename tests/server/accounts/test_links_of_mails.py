"""The links of mails about an account: each lasts for a while, and then opens nothing."""

from __future__ import annotations

import re
import time
from datetime import timedelta
from types import SimpleNamespace

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core import mail, signing
from django.test import Client

from crownhead.server.accounts.addresses import selectors as addresses
from crownhead.server.accounts.models import EmailChange, User
from crownhead.server.accounts.security import throttle
from crownhead.server.core import clock
from tests.server.play.factories import NOW

pytestmark = pytest.mark.django_db

A_MINUTE, THREE_DAYS = timedelta(minutes=1), timedelta(days=3)


def later(monkeypatch: pytest.MonkeyPatch, by: timedelta) -> None:
    """Let so much time have passed for what is signed."""
    at, seconds = time.time() + by.total_seconds(), PasswordResetTokenGenerator._num_seconds  # noqa: SLF001
    monkeypatch.setattr(signing, "time", SimpleNamespace(time=lambda: at))
    monkeypatch.setattr(
        PasswordResetTokenGenerator,
        "_num_seconds",
        lambda self, moment: seconds(self, moment) + int(by.total_seconds()),
    )


def link(path: str) -> str:
    """The link of the last mail."""
    found = re.search(rf"{path}\S+", str(mail.outbox[-1].body))
    assert found
    return found[0]


@pytest.mark.parametrize(("by", "status"), [(-A_MINUTE, 200), (A_MINUTE, 404)])
def test_that_by_which_a_browser_becomes_known(
    alice: User, monkeypatch: pytest.MonkeyPatch, by: timedelta, status: int
) -> None:
    browser = Client()
    browser.post("/accounts/unlock/", {"login": "alice"})
    later(monkeypatch, throttle.LINK_LASTS + by)
    assert browser.get(link("/accounts/unlock/")).status_code == status
    assert timedelta(hours=1) == throttle.LINK_LASTS


@pytest.mark.parametrize(("by", "is_good"), [(-A_MINUTE, True), (A_MINUTE, False)])
def test_that_by_which_a_password_is_set(
    alice: User, monkeypatch: pytest.MonkeyPatch, by: timedelta, is_good: bool
) -> None:
    browser = Client()
    browser.post("/accounts/password/reset/", {"email": alice.email})
    later(monkeypatch, THREE_DAYS + by)
    page = browser.get(link("/accounts/password/reset/key/"), follow=True).content.decode()
    assert ("This link doesn't work" not in page) == is_good


@pytest.mark.parametrize(("by", "is_good"), [(-A_MINUTE, True), (A_MINUTE, False)])
def test_that_by_which_an_address_is_confirmed(
    monkeypatch: pytest.MonkeyPatch, by: timedelta, is_good: bool
) -> None:
    browser = Client()
    new = {"username": "dora", "email": "dora@club.example", "password1": "a window over the lake 77"}
    browser.post("/accounts/signup/", new)
    later(monkeypatch, THREE_DAYS + by)
    Client().post(link("/accounts/confirm-email/"))
    assert EmailAddress.objects.get().verified == is_good


@pytest.mark.parametrize(("by", "status"), [(-A_MINUTE, 200), (A_MINUTE, 404)])
def test_that_by_which_an_old_address_agrees_to_a_new_one(alice: User, by: timedelta, status: int) -> None:
    change = EmailChange.objects.create(user=alice, old=alice.email, new="new@club.example", asked_at=NOW)
    path = f"/accounts/email/change/{addresses.token_of(change)}/"
    with clock.stopped(NOW + THREE_DAYS + by):
        assert Client().get(path).status_code == status
