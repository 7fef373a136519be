"""Times on pages are those of the member's zone and say so; where a page speaks of UTC it writes UTC."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.accounts.preferences.services import set_preferences
from crownhead.server.core import clock
from crownhead.server.play.vacation import services as vacation_services
from tests.server.play.factories import NOW, make_game

pytestmark = pytest.mark.django_db


def seen(user: User, path: str) -> str:
    """A page's HTML, for somebody who lives by the clocks of Auckland."""
    set_preferences(user=user, changes={"time_zone": "Pacific/Auckland"})
    client = Client()
    client.force_login(user)
    with clock.stopped(NOW):
        return client.get(path).content.decode()


def test_a_deadline_is_written_in_the_members_zone(alice: User, bob: User) -> None:
    page = seen(alice, f"/games/{make_game(alice, bob).public_id}/")
    assert "5 March 2026 01:00 NZDT" in page
    assert "UTC</time>" not in page


def test_a_vacation_is_written_in_utc_as_its_page_says(alice: User) -> None:
    vacation_services.plan(user=alice, begins=NOW + timedelta(days=1), ends=NOW + timedelta(days=2), now=NOW)
    page = seen(alice, "/vacation/")
    assert ">2026-03-02 12:00</time>" in page
    assert ">2026-03-03 12:00</time>" in page
