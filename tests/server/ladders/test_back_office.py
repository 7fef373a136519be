"""Ladders in the back office: opened on terms that no open ladder has."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.core.problems import Conflict
from crownhead.server.ladders import forms, services
from crownhead.server.ladders.models import Ladder
from tests.server.conftest import make_user
from tests.server.ladders.factories import make_ladder
from tests.server.play.factories import NOW

pytestmark = pytest.mark.django_db

TERMS = {
    "variant": "american",
    "style": "places",
    "title": "",
    "pace": "days",
    "time": "3",
    "bonus": "0",
    "limit": "0",
    "rated": "on",
    "draw_rules": "official",
    "games": "1",
    "idle_days": "30",
}


@pytest.fixture
def hostess(db: None) -> User:
    """A member of the staff."""
    return make_user("hostess", is_staff=True, is_superuser=True)


def test_a_ladder_like_an_open_one_is_refused_by_the_form_in_words(client: Client, hostess: User) -> None:
    client.force_login(hostess)
    client.post("/staff/ladders/ladder/add/", TERMS)
    ladder = Ladder.objects.get()
    answer = client.post("/staff/ladders/ladder/add/", TERMS)
    assert answer.status_code == 200
    assert "There is already an open ladder with these terms." in answer.content.decode()
    assert Ladder.objects.get() == ladder
    services.close_ladder(staff=hostess, ladder_id=ladder.public_id, now=NOW)
    client.post("/staff/ladders/ladder/add/", TERMS)
    assert Ladder.objects.count() == 2


def test_of_two_who_open_it_at_once_the_second_is_told_why(
    client: Client, hostess: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def open_ladder(**_terms: Any) -> None:
        raise Conflict("There is already an open ladder with these terms.")

    client.force_login(hostess)
    monkeypatch.setattr(forms, "is_open_already", lambda _ladder: False)
    monkeypatch.setattr(services, "open_ladder", open_ladder)
    page = client.post("/staff/ladders/ladder/add/", TERMS, follow=True).content.decode()
    assert "There is already an open ladder with these terms." in page
    assert "added successfully" not in page
    assert not LogEntry.objects.exists()


def test_a_place_that_is_not_there_is_not_said_to_be_given(client: Client, hostess: User) -> None:
    client.force_login(hostess)
    member = services.join(user=make_user("alice"), ladder_id=make_ladder().public_id, now=NOW)
    form = {"rank": "99", "reason": "So it is."}
    page = client.post(f"/staff/ladders/member/{member.pk}/change/", form, follow=True).content.decode()
    assert "Choose a place from 1 to 1." in page
    assert "changed successfully" not in page
    assert not LogEntry.objects.exists()
