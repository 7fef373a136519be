"""The ways into a game: a live one from the waiting room, an invitation, a match of two."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Seat
from tests.browser.looks import faultless
from tests.browser.test_live import submit
from tests.browser.test_pages import faults
from tests.browser.visitors import Visitor

pytestmark = pytest.mark.browser


def _invite(inviter: Visitor, opponent: str, *, match: str = "") -> None:
    page = inviter.page
    inviter.go("/new/")
    page.get_by_label("Opponent", exact=True).fill(opponent)
    page.get_by_label("Message to your opponent").fill("Shall we?")
    if match:
        page.get_by_text("More options").click()
        page.get_by_label(match).check()
    page.get_by_role("button", name="Create game").click()
    expect(page.get_by_text(f"Your invitation to {opponent} has been sent.")).to_be_visible()


def test_a_live_game_is_created_and_joined_and_its_clocks_run(seat: Seat) -> None:
    red, white = seat("quick-red"), seat("quick-white")
    red.go("/new/")
    red.page.get_by_label("Live", exact=True).check()
    expect(red.page.get_by_label("Weekends off")).not_to_be_visible()
    red.page.get_by_label("3 + 2", exact=True).check()
    red.page.get_by_role("button", name="Create game").click()
    expect(red.status).to_have_text("Waiting for an opponent.")

    white.go("/waiting-room/")
    white.page.get_by_label("Pace").select_option("Live")
    expect(white.page).to_have_url(re.compile("pace=live"))
    expect(white.page.locator(".entry").first).to_contain_text("3 min + 2 s")
    white.page.get_by_role("button", name="Join quick-red's game").click()

    red.expect_turn()
    submit(red, 11, 15)
    white.expect_turn()
    expect(white.page.get_by_text(re.compile(r"^2:\d\d$")).first).to_be_visible()


def test_only_the_fields_of_the_chosen_pace_are_shown_and_all_are_kept(seat: Seat) -> None:
    member = seat("chooses-pace")
    page = member.page
    member.go("/new/")
    expect(page.get_by_label("Bonus")).not_to_be_visible()
    page.get_by_label("Time bank", exact=True).check()
    page.get_by_label("Bonus").fill("9")
    expect(page.get_by_label("Message to your opponent")).not_to_be_visible()
    page.get_by_label("Opponent", exact=True).fill("nobody-of-that-name")
    page.get_by_label("Message to your opponent").fill("Well?")

    member.choose("Italian draughts")

    expect(page.get_by_text("the corner at each player's right being played")).to_be_visible()
    expect(page.get_by_label("Bonus")).to_have_value("9")
    page.get_by_role("button", name="Create game").click()
    expect(page.get_by_text("There is no player with that name.")).to_be_visible()
    expect(page.get_by_label("Message to your opponent")).to_have_value("Well?")
    member.complaints.clear()  # the browser says that the form was refused


def test_an_invitation_is_seen_at_home_and_accepted(seat: Seat) -> None:
    host, guest = seat("host-of-one"), seat("guest-of-one")
    guest.go("/")
    _invite(host, "guest-of-one")

    expect(guest.page.get_by_role("heading", name="Invitations")).to_be_visible()
    expect(guest.page.get_by_text("Shall we?")).to_be_visible()
    guest.page.get_by_role("button", name="Accept host-of-one's invitation").click()

    expect(guest.page.get_by_text("The game has begun.")).to_be_visible()
    host.go("/")
    expect(host.page.get_by_role("link", name="guest-of-one")).to_be_visible()


def test_a_match_of_two_has_both_games_at_once_and_a_page(seat: Seat) -> None:
    host, guest = seat("host-of-two"), seat("guest-of-two")
    _invite(host, "guest-of-two", match="Two games at once, sides swapped")
    guest.go("/invitations/")
    guest.page.get_by_role("button", name="Accept host-of-two's invitation").click()
    expect(guest.page.get_by_text("The game has begun.")).to_be_visible()

    host.go("/")
    expect(host.page.locator(".entry", has_text="guest-of-two")).to_have_count(2)
    host.page.get_by_role("link", name="Match of 2 games, game 1").click()

    expect(host.page.get_by_text("It is 0 to 0. 2 games to go.")).to_be_visible()
    expect(host.page.get_by_role("link", name="Game 2")).to_be_visible()


def test_all_of_it_works_without_javascript(seat: Seat) -> None:
    host = seat("plain-host", java_script_enabled=False)
    guest = seat("plain-guest", java_script_enabled=False)
    _invite(host, "plain-guest")

    guest.go("/")
    guest.page.locator("[data-menu] summary").filter(has_text="Play").click()
    guest.page.get_by_role("link", name="Invitations waiting for your answer: 1").click()
    guest.page.get_by_role("button", name="Decline plain-host's invitation").click()

    expect(guest.page.get_by_text("Invitation declined.")).to_be_visible()
    expect(guest.page.get_by_text("You have no invitations right now.")).to_be_visible()


def test_its_pages_hold_up_on_a_small_phone(seat: Seat) -> None:
    host = seat("small-host", viewport={"width": 320, "height": 568})
    guest = seat("small-guest")
    for _ in range(2):
        _invite(host, guest.name, match="Two games at once, sides swapped")
    guest.go("/invitations/")
    guest.page.get_by_role("button", name="Accept the invitation").first.click()
    expect(guest.page.get_by_text("The game has begun.")).to_be_visible()

    host.go("/")
    match = host.page.get_by_role("link", name="Match of 2 games, game 1").get_attribute("href")
    paths = [
        "/",
        "/new/?terms=1&variant=pro&pace=live&live=own&opponent=x&match=wins",
        "/new/?pace=bank",
        "/waiting-room/?rated=yes",
        "/invitations/",
        "/vacation/",
        "/games/finished/",
        match or "",
    ]
    found = {}
    for path in paths:
        host.go(path)
        found[path] = faults(host.page)
    faultless(found)
