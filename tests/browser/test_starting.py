"""Ways to start a game: live from the waiting room, by invitation, and a match of two."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, expect

from tests.browser.accessibility import assert_nothing_found
from tests.browser.conftest import NewVisitor
from tests.browser.test_live import submit
from tests.browser.test_pages import faults
from tests.browser.visitors import Visitor

pytestmark = pytest.mark.browser


def _invite(inviter: Visitor, opponent: str, *, match: str = "") -> None:
    page = inviter.page
    inviter.go("/new/")
    page.locator("input[name='opponent']").fill(opponent)
    page.get_by_label("Message to your opponent").fill("Shall we?")
    if match:
        page.get_by_text("More options").click()
        page.get_by_label(match).check()
    page.get_by_role("button", name="Send invitation").click()
    expect(page.get_by_text(f"Your invitation to {opponent} has been sent.")).to_be_visible()


def test_a_live_game_is_created_and_joined_and_its_clocks_run(new_visitor: NewVisitor) -> None:
    red, white = new_visitor("quick-red"), new_visitor("quick-white")
    red.go("/new/")
    red.page.get_by_label("Live", exact=True).check()
    expect(red.page.get_by_label("Weekends off")).not_to_be_visible()
    red.page.get_by_label("3 + 2", exact=True).check()
    red.page.get_by_label("Red (first)", exact=True).check()
    red.page.get_by_role("button", name="Create game").click()
    expect(red.status).to_have_text("Waiting for an opponent.")

    white.go("/waiting-room/")
    white.page.get_by_label("Pace").select_option("Live")
    expect(white.page).to_have_url(re.compile("pace=live"))
    expect(white.page.locator(".entry").first).to_contain_text("3 min + 2 s")
    white.page.get_by_role("button", name="Join quick-red's game").click()

    red.expect_turn()
    for player, origin, target in ((red, 11, 15), (white, 23, 19), (red, 8, 11)):  # first moves take no time
        player.expect_turn()
        submit(player, origin, target)
    white.expect_turn()
    expect(white.page.get_by_text(re.compile(r"^2:\d\d$")).first).to_be_visible()


@pytest.mark.parametrize("scripted", [True, False], ids=["keys", "plain"])
def test_a_new_member_hides_the_first_steps(new_visitor: NewVisitor, scripted: bool) -> None:
    member = new_visitor(f"needs-no-steps-{int(scripted)}", java_script_enabled=scripted)
    member.go("/")
    steps = member.page.get_by_role("region", name="Three first steps")
    steps.get_by_role("button", name="Hide").press("Enter")
    expect(steps).to_have_count(0)
    member.go("/")
    expect(steps).to_have_count(0)


def test_only_the_fields_of_the_chosen_pace_are_shown_and_all_are_kept(new_visitor: NewVisitor) -> None:
    member = new_visitor("chooses-pace")
    page = member.page
    member.go("/new/")
    expect(page.get_by_label("Bonus")).not_to_be_visible()
    page.get_by_label("Time bank", exact=True).check()
    page.get_by_label("Bonus").fill("9")
    expect(page.get_by_label("Message to your opponent")).not_to_be_visible()
    page.locator("input[name='opponent']").fill("nobody-of-that-name")
    page.get_by_label("Message to your opponent").fill("Well?")

    member.choose("Italian draughts")

    expect(page.get_by_text("the corner at each player's right in play")).to_be_visible()
    expect(page.get_by_label("Bonus")).to_have_value("9")
    page.get_by_role("button", name="Send invitation").click()
    expect(page.get_by_text("There is no player with that name.")).to_be_visible()
    expect(page.locator("input[name='opponent']")).to_be_focused()
    expect(page.locator("input[name='opponent']")).to_be_in_viewport()
    expect(page.get_by_label("Message to your opponent")).to_have_value("Well?")
    member.console_errors.clear()  # the browser says that the form was refused


@pytest.mark.parametrize("scripted", [True, False], ids=["scripted", "plain"])
def test_a_named_opponent_can_only_be_invited(new_visitor: NewVisitor, scripted: bool) -> None:
    new_visitor(f"is-named-{int(scripted)}")
    member = new_visitor(f"names-one-{int(scripted)}", java_script_enabled=scripted)
    page = member.page
    member.go(f"/new/?opponent=is-named-{int(scripted)}")
    expect(page.get_by_role("heading", name=f"Invite is-named-{int(scripted)}")).to_be_in_viewport()
    for name in ("Create game", "Find a game", "Link for a friend"):
        expect(page.get_by_role("button", name=name)).not_to_be_visible()
    expect(page.get_by_text("“Find a game” also takes")).not_to_be_visible()

    page.locator("input[name='opponent']").fill("")

    expect(page.get_by_role("heading", name="New game")).to_be_visible()
    expect(page.get_by_role("button", name="Find a game")).to_be_visible()
    expect(page.get_by_role("button", name="Send invitation")).not_to_be_visible()


def test_an_invitation_is_shown_on_the_home_page_and_accepted(new_visitor: NewVisitor) -> None:
    host, guest = new_visitor("host-of-one"), new_visitor("guest-of-one")
    guest.go("/")
    _invite(host, "guest-of-one")

    expect(guest.page.get_by_role("heading", name="Invitations")).to_be_visible()
    expect(guest.page.get_by_text("Shall we?")).to_be_visible()
    guest.page.get_by_role("button", name="Accept host-of-one's invitation").click()

    expect(guest.page.get_by_text("The game has started.")).to_be_visible()
    host.go("/")
    expect(host.page.get_by_role("link", name="guest-of-one")).to_be_visible()


def test_a_match_of_two_has_both_games_at_once_and_a_page(new_visitor: NewVisitor) -> None:
    host, guest = new_visitor("host-of-two"), new_visitor("guest-of-two")
    _invite(host, "guest-of-two", match="Two games at once, sides swapped")
    guest.go("/invitations/")
    guest.page.get_by_role("button", name="Accept host-of-two's invitation").click()
    expect(guest.page.get_by_text("The game has started.")).to_be_visible()

    host.go("/")
    expect(host.page.locator(".entry", has_text="guest-of-two")).to_have_count(2)
    host.page.get_by_role("link", name="Match of 2 games, game 1").click()

    expect(host.page.get_by_text("It is 0 to 0. 2 games to go.")).to_be_visible()
    expect(host.page.get_by_role("link", name="Game 2")).to_be_visible()


def test_creating_and_joining_work_without_javascript(new_visitor: NewVisitor) -> None:
    host = new_visitor("plain-host", java_script_enabled=False)
    guest = new_visitor("plain-guest", java_script_enabled=False)
    _invite(host, "plain-guest")

    guest.go("/")
    guest.page.locator("[data-menu] summary").filter(has_text="Play").click()
    guest.page.get_by_role("link", name="Invitations waiting for your answer: 1").click()
    guest.page.get_by_role("button", name="Decline plain-host's invitation").click()

    expect(guest.page.get_by_text("Invitation declined.")).to_be_visible()
    expect(guest.page.get_by_text("You have no invitations right now.")).to_be_visible()


def test_the_pages_fit_a_small_phone(new_visitor: NewVisitor) -> None:
    host = new_visitor("small-host", viewport={"width": 320, "height": 568})
    guest = new_visitor("small-guest")
    for _ in range(2):
        _invite(host, guest.name, match="Two games at once, sides swapped")
    guest.go("/invitations/")
    guest.page.get_by_role("button", name="Accept small-host's invitation").first.click()
    expect(guest.page.get_by_text("The game has started.")).to_be_visible()

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
    assert_nothing_found(found)


def test_what_is_chosen_while_the_form_is_fetched_again_stays(new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    visitor.go("/new/")
    held: list[Route] = []
    visitor.page.route("**/new/?*", lambda route: held.append(route))
    visitor.page.get_by_label("White (second)", exact=True).check()
    visitor.page.get_by_label("Live", exact=True).check()
    visitor.page.wait_for_timeout(100)
    [first] = held
    first.continue_()
    computer = visitor.page.get_by_role("link", name="Play the computer")
    expect(computer).to_have_attribute("href", re.compile("colour=second"))  # the answer is there
    expect(visitor.page.get_by_label("White (second)", exact=True)).to_be_checked()
    expect(visitor.page.get_by_label("Live", exact=True)).to_be_checked()


def test_a_guest_on_a_small_phone_sees_the_whole_board_of_the_front_page(new_visitor: NewVisitor) -> None:
    guest = new_visitor(viewport={"width": 360, "height": 560})
    guest.go("/")

    board = guest.page.locator(".hero .squares").bounding_box()
    bar = guest.page.locator("nav").last.bounding_box()
    assert board
    assert bar
    assert board["y"] + board["height"] < min(bar["y"], 500)
