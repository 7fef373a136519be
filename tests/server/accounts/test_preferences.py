"""Preferences hold on every page and device; a profile is stored as it was written."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.utils import timezone, translation
from pytest_django import Settings

from crownhead.server.accounts import selectors
from crownhead.server.accounts.middleware import activate_preferences
from crownhead.server.accounts.models import Preferences, Profile, User
from crownhead.server.accounts.preferences import selectors as preferences_selectors
from crownhead.server.accounts.preferences import services as preferences_services
from crownhead.server.accounts.preferences.selectors import time_zones
from tests.server.conftest import Api

pytestmark = pytest.mark.django_db

MOMENT = datetime(2026, 1, 31, 23, 30, tzinfo=UTC)
FIRST_CHOICES = {
    "time_zone": "",
    "language": "",
    "appearance": "auto",
    "theme": "tournament",
    "numbers": "inside",
    "names": "own",
    "motion": "on",
    "sound": "live",
    "turned": "mine",
    "entry": "any",
    "then": "stay",
    "submit": "slow",
    "visibility": "everybody",
    "invitations": "everybody",
    "show_here": True,
    "guests": True,
}


def test_a_player_who_chose_nothing_has_the_first_of_each_and_no_row(api: Api, alice: User) -> None:
    answer = api.as_(alice).get("/preferences")
    assert answer.json() == FIRST_CHOICES
    assert not Preferences.objects.exists()


def test_the_time_zones_are_looked_for_once_in_the_life_of_a_process(
    api: Api, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[None] = []

    def zones() -> set[str]:
        looked.append(None)
        return {"Europe/Prague", "Etc/UTC"}

    monkeypatch.setattr(preferences_selectors, "available_timezones", zones)
    time_zones.cache_clear()
    try:
        answers = [
            api.as_(alice).patch("/preferences", {"time_zone": zone}).status_code
            for zone in ("Europe/Prague", "x" * 10_000, "Etc/UTC")
        ]
    finally:
        time_zones.cache_clear()
    assert answers == [200, 422, 422]
    assert len(looked) == 1


def test_a_change_leaves_the_rest_as_it_is(api: Api, alice: User, bob: User) -> None:
    as_alice = api.as_(alice)
    as_alice.patch("/preferences", {"theme": "slate", "show_here": False})
    answer = as_alice.patch("/preferences", {"time_zone": "Europe/Prague", "theme": None})
    wanted = FIRST_CHOICES | {"theme": "slate", "show_here": False, "time_zone": "Europe/Prague"}
    assert answer.status_code == 200
    assert answer.json() == as_alice.get("/preferences").json() == wanted
    assert api.as_(bob).get("/preferences").json() == FIRST_CHOICES


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"theme": "pink"}, "body.theme"),
        ({"time_zone": "Mars/Olympus"}, "time_zone"),
        ({"time_zone": "../../etc/passwd"}, "time_zone"),
        ({"language": "tlh"}, "language"),
        ({"show_here": "yes"}, "body.show_here"),
        ({"colour": "red"}, "body.colour"),
        ({"user": 1}, "body.user"),
    ],
)
def test_what_cannot_be_chosen_is_named_and_changes_nothing(
    api: Api, alice: User, changes: dict[str, Any], where: str
) -> None:
    answer = api.as_(alice).patch("/preferences", changes | {"sound": "on"})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["where"] == where
    assert not Preferences.objects.exists()


def test_preferences_and_profile_are_for_members(api: Api) -> None:
    for answer in (api.get("/preferences"), api.patch("/preferences", {}), api.patch("/me", {})):
        assert answer.status_code == 401


def test_the_profile_is_stored_as_it_was_written(api: Api, alice: User) -> None:
    as_alice = api.as_(alice)
    as_alice.patch("/me", {"text": "I *love* <b>mule</b>. ", "country": "CZ"})
    me = as_alice.patch("/me", {"country": ""}).json()
    assert (me["text"], me["country"]) == ("I *love* <b>mule</b>.", "")
    assert as_alice.get("/me").json() == me


@pytest.mark.parametrize(
    "changes", [{"country": "XX"}, {"country": "nl"}, {"text": "x" * 10_001}, {"name": "x"}]
)
def test_a_profile_that_makes_no_sense_is_refused(api: Api, alice: User, changes: dict[str, str]) -> None:
    answer = api.as_(alice).patch("/me", changes)
    assert answer.status_code == 422
    assert next(iter(changes)) in answer.json()["detail"]
    assert not Profile.objects.exists()


def test_times_are_written_in_the_members_own_zone(alice: User, rf: RequestFactory) -> None:
    preferences_services.set_preferences(user=alice, changes={"time_zone": "Pacific/Auckland"})
    assert written(alice, rf) == "2026-02-01 12:30"
    Preferences.objects.update(time_zone="Atlantis/Gone")
    assert written(User.objects.get(), rf) == "2026-01-31 23:30"


def test_texts_are_in_the_language_that_the_member_chose(
    alice: User, rf: RequestFactory, settings: Settings
) -> None:
    settings.LANGUAGES = [("en", "English"), ("nl", "Nederlands")]
    preferences_services.set_preferences(user=alice, changes={"language": "nl"})
    with translation.override("en"):
        assert spoken(alice, rf) == "nl"
    settings.LANGUAGES = [("en", "English")]
    with translation.override("en"):
        assert spoken(alice, rf) == "en"


def test_a_members_page_loads_their_preferences_with_themselves(
    alice: User, client: Client, django_assert_num_queries: Any
) -> None:
    client.force_login(alice)
    client.get("/api/v1/preferences")  # notes that she is here
    with django_assert_num_queries(2):  # the session; the user with her preferences
        client.get("/api/v1/preferences")


def test_every_choice_of_the_page_can_be_made(alice: User) -> None:
    for field in Preferences._meta.concrete_fields:
        for value, _ in field.choices or ():
            preferences_services.set_preferences(user=alice, changes={field.name: value})
            assert getattr(selectors.preferences_of(alice), field.name) == value
    assert "Europe/Amsterdam" in time_zones()


def written(user: User, rf: RequestFactory) -> str:
    """`MOMENT` as a page of the user's writes it."""
    return through_the_middleware(user, rf, lambda: f"{timezone.localtime(MOMENT):%Y-%m-%d %H:%M}")


def spoken(user: User, rf: RequestFactory) -> str:
    """The language of a page of the user's."""
    return through_the_middleware(user, rf, lambda: translation.get_language() or "")


def through_the_middleware(user: User, rf: RequestFactory, tell: Any) -> str:
    """What a view behind the middleware tells."""

    def view(_request: HttpRequest) -> HttpResponse:
        return HttpResponse(tell())

    request = rf.get("/")
    request.user = user
    answer = activate_preferences(view)(request)
    assert isinstance(answer, HttpResponse)
    return answer.content.decode()
