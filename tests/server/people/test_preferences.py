"""The forms for one's profile and preferences, and what pages make of them."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from crownhead.server.accounts.models import Preferences, Profile, User
from crownhead.server.accounts.preferences import services as preferences_services
from tests.server.people.conftest import window_of

pytestmark = pytest.mark.django_db

FORM = {
    "time_zone": "Europe/Prague",
    "language": "",
    "appearance": "dark",
    "theme": "slate",
    "numbers": "none",
    "names": "algebraic",
    "motion": "off",
    "sound": "on",
    "turned": "first",
    "entry": "click",
    "then": "next",
    "submit": "always",
    "visibility": "members",
    "invitations": "buddies",
}


def test_the_form_keeps_every_choice(alice: User) -> None:
    window = window_of(alice)
    assert window.post("/preferences/", FORM).location == "/preferences/"
    page = window.get("/preferences/")
    assert "Your preferences are saved." in page.text
    chosen = Preferences.objects.get(user=alice)
    assert {name: getattr(chosen, name) for name in FORM} == FORM
    assert (chosen.show_here, chosen.guests) == (False, False)
    assert set(FORM) | {"show_here", "guests"} == set(preferences_services.NAMES)
    for name, value in FORM.items():
        if value and name != "time_zone":
            assert f'name="{name}" value="{value}" checked' in page.html


def test_the_language_is_a_choice_only_where_there_is_more_than_one(alice: User, settings: Settings) -> None:
    settings.LANGUAGES = [("en", "English")]
    assert 'name="language"' not in window_of(alice).get("/preferences/").html
    settings.LANGUAGES = [("en", "English"), ("nl", "Nederlands")]
    assert 'name="language"' in window_of(alice).get("/preferences/").html


def test_a_box_that_is_ticked_counts(alice: User) -> None:
    window_of(alice).post("/preferences/", FORM | {"show_here": "on", "guests": "on"})
    chosen = Preferences.objects.get(user=alice)
    assert (chosen.show_here, chosen.guests) == (True, True)


@pytest.mark.parametrize("change", [{"theme": "pink"}, {"time_zone": "Nowhere"}, {"language": "xx"}])
def test_nonsense_is_said_and_changes_nothing(alice: User, change: dict[str, str]) -> None:
    page = window_of(alice).post("/preferences/", FORM | change)
    assert page.status == 422
    assert next(iter(change.values())) in page.text
    assert not Preferences.objects.exists()


def test_a_members_pages_say_what_they_chose(alice: User, bob: User) -> None:
    window = window_of(alice)
    window.post("/preferences/", FORM)
    root = window.get("/").html.split("<head>")[0]
    assert 'data-theme="slate"' in root
    assert 'data-numbers="none"' in root
    assert 'data-preferences="/api/v1/preferences"' in root
    assert 'data-time-zone="Europe/Prague"' in root
    assert 'content="dark"' in window.get("/").html
    assert 'media="all"' in window.get("/").html
    assert 'data-theme="tournament"' in window_of(bob).get("/").html.split("<head>")[0]


def test_a_guests_pages_leave_it_to_their_device(db: None) -> None:
    page = window_of().get("/").html
    assert "data-theme" not in page.split("<head>")[0]
    assert 'media="(prefers-color-scheme: dark)"' in page
    assert 'content="light dark"' in page


def test_the_profile_is_edited(alice: User) -> None:
    window = window_of(alice)
    assert window.post("/profile/", {"text": "Hello *you*", "country": "BE"}).location == "/players/alice/"
    assert "Belgium" in window.get("/players/alice/").text
    assert "Hello *you*" in window.get("/profile/").html


def test_a_profile_that_makes_no_sense_is_shown_again(alice: User) -> None:
    page = window_of(alice).post("/profile/", {"text": "My words", "country": "ZZ"})
    assert page.status == 422
    assert "My words" in page.html
    assert not Profile.objects.exists()


@pytest.mark.parametrize("path", ["/preferences/", "/profile/", "/my-data/", "/friends/"])
def test_guests_are_asked_to_sign_in(db: None, path: str) -> None:
    assert window_of().get(path).location.startswith("/accounts/login/")
    assert window_of().post(path).location.startswith("/accounts/login/")


def test_the_page_has_a_board_to_preview_what_is_chosen(alice: User) -> None:
    page = window_of(alice).get("/preferences/")
    assert "data-shows-choices" in page.html
    preview = page.html.partition('class="board-preview requires-js"')[2].partition("</checkers-board>")[0]
    for part in ('data-colour="black"', 'data-colour="white"', "#piece-man", "#piece-king", 'class="edges"'):
        assert part in preview
    assert 'name="pieces" value="ringed"' in page.html
