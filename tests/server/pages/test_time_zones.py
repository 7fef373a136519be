"""Times on pages are those of the member's zone, which the browser tells when they sign up or in."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.accounts.preferences.services import set_preferences
from crownhead.server.accounts.selectors import preferences_of
from crownhead.server.core import clock
from crownhead.server.play.vacation import selectors as vacation_selectors
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
    assert "5 Mar 2026, 01:00 NZDT" in page
    assert "UTC</time>" not in page


def test_a_vacation_is_written_in_the_members_zone(alice: User) -> None:
    vacation_services.plan(user=alice, begins=NOW + timedelta(days=1), ends=NOW + timedelta(days=2), now=NOW)
    page = seen(alice, "/vacation/")
    assert "those of your time zone, Pacific/Auckland." in page
    assert ">3 Mar 2026, 01:00</time>" in page
    assert ">4 Mar 2026, 01:00</time>" in page


def test_a_vacation_is_planned_in_the_members_zone(alice: User) -> None:
    set_preferences(user=alice, changes={"time_zone": "Asia/Kathmandu"})  # 45 minutes past the hours of UTC
    client = Client()
    client.force_login(alice)
    with clock.stopped(NOW):
        page = client.get("/vacation/").content.decode()
        assert 'min="2026-03-01T18:00"' in page
        client.post("/vacation/", {"begins": "2026-03-02T09:00", "ends": "2026-03-02T12:00"})
        (planned,) = vacation_selectors.planned(user=alice, now=NOW)
    assert planned.begins_at == datetime(2026, 3, 2, 3, 15, tzinfo=UTC)


def test_an_absence_is_written_in_the_readers_zone(alice: User, bob: User) -> None:
    game = make_game(alice, bob, vacation=True)
    ends = NOW + timedelta(days=2)
    vacation_services.plan(user=alice, begins=NOW + timedelta(hours=1), ends=ends, now=NOW)
    with clock.stopped(NOW + timedelta(hours=2)):
        set_preferences(user=bob, changes={"time_zone": "Pacific/Auckland"})
        client = Client()
        client.force_login(bob)
        page = client.get(f"/games/{game.public_id}/").content.decode()
        guest = Client().get(f"/games/{game.public_id}/").content.decode()
    assert "alice is on vacation until 4 March 2026, 01:00." in page
    assert "alice is on vacation until 3 March 2026, 12:00 UTC." in guest


def sent(path: str, **fields: str) -> User:
    """The member after a form was sent to ``path``."""
    answer = Client().post(path, fields)
    assert answer.status_code == 302, answer.content
    return User.objects.get(username=fields.get("username", fields.get("login")))


def test_who_signs_up_gets_the_zone_of_the_browser() -> None:
    member = sent(
        "/accounts/signup/",
        username="carla",
        email="carla@club.example",
        password1="a long word for carla",
        time_zone="Asia/Tokyo",
    )
    assert preferences_of(member).time_zone == "Asia/Tokyo"


@pytest.mark.parametrize(
    ("before", "told", "after"),
    [("", "Asia/Tokyo", "Asia/Tokyo"), ("Europe/Rome", "Asia/Tokyo", "Europe/Rome"), ("", "Mars/Base", "")],
)
def test_who_signs_in_keeps_their_zone_or_gets_that_of_the_browser(
    alice: User, before: str, told: str, after: str
) -> None:
    set_preferences(user=alice, changes={"time_zone": before})
    alice.set_password("a long word for alice")
    alice.save()
    member = sent("/accounts/login/", login="alice", password="a long word for alice", time_zone=told)
    assert preferences_of(member).time_zone == after
