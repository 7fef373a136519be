"""An account and the note of its letter are stored together, or neither; a crash loses no letter."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from crownhead.server.accounts.models import User
from crownhead.server.accounts.services import create_administrator
from crownhead.server.notices.channels.outgoing import StoredMailBackend
from crownhead.server.notices.models import LetterNote
from tests.server.accounts.held import noted_calls
from tests.server.conftest import Api
from tests.server.guests import LINK

pytestmark = pytest.mark.django_db

NAME, ADDRESS, WORDS = "dora", "dora@club.example", "a quiet corner"


class Dying(StoredMailBackend):
    """The process ends when the letter is to be stored."""

    def store_note(self, note: Any) -> None:  # noqa: ARG002
        """End it."""
        raise RuntimeError("killed")


def by_page() -> None:
    form = {"username": NAME, "email": ADDRESS, "password1": WORDS}
    Client(raise_request_exception=False).post("/accounts/signup/", form)


def by_program() -> None:
    Api().post("/accounts", {"username": NAME, "email": ADDRESS, "password": WORDS})


def by_guest() -> None:
    """Who has played without an account."""
    browser = Client()
    browser.post("/new/", LINK)
    assert User.objects.get().is_guest
    browser.post("/accounts/signup/", {"username": NAME, "email": ADDRESS, "password1": WORDS})


@pytest.mark.parametrize("sign_up", [by_page, by_program])
def test_no_account_is_left_without_its_letter(sign_up: Any, settings: Settings) -> None:
    settings.EMAIL_BACKEND = f"{__name__}.Dying"
    sign_up()
    assert not User.objects.exists()
    settings.EMAIL_BACKEND = "crownhead.server.notices.channels.outgoing.StoredMailBackend"
    cache.clear()  # it went with the process
    sign_up()
    assert User.objects.get().username == NAME
    assert LetterNote.objects.count() == 1


@pytest.mark.parametrize("sign_up", [by_page, by_program])
def test_a_name_that_somebody_takes_meanwhile_is_refused_as_taken(
    sign_up: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crownhead.server.accounts.adapter.name_is_taken", lambda *_, **__: False)
    sign_up()
    sign_up()
    assert User.objects.count() == 1


@pytest.mark.parametrize("sign_up", [by_page, by_program, by_guest])
def test_the_password_is_hashed_before_others_wait(sign_up: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    hashes = noted_calls(monkeypatch, MD5PasswordHasher, "encode")
    rows = noted_calls(monkeypatch, User, "save")
    sign_up()
    assert User.objects.get(username=NAME).check_password(WORDS)
    assert hashes[0] is False
    assert True not in hashes
    assert True in rows


@pytest.mark.parametrize("sign_up", [by_page, by_program])
def test_the_password_of_who_is_refused_is_not_hashed(sign_up: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    sign_up()
    hashes = noted_calls(monkeypatch, MD5PasswordHasher, "encode")
    sign_up()  # the name is taken
    assert not hashes


def test_the_password_of_an_administrator_is_hashed_before_others_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hashes = noted_calls(monkeypatch, MD5PasswordHasher, "encode")
    create_administrator(username=NAME, email=ADDRESS, password=WORDS)
    assert hashes == [False]
    boss = User.objects.get(username=NAME)
    assert (boss.is_staff, boss.is_superuser, boss.check_password(WORDS)) == (True, True, True)
