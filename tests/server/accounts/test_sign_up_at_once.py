"""An account and the note of its letter are stored together, or neither; a crash loses no letter."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from crownhead.server.accounts.models import User
from crownhead.server.notices.channels.outgoing import StoredMailBackend
from crownhead.server.notices.models import LetterNote
from tests.server.conftest import Api

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
