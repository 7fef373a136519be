"""The pages about people, and preferences that follow a member to other devices."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.accessibility import DESKTOP, assert_nothing_found, inspect_pages, problems_in_two_looks
from tests.browser.conftest import NewVisitor
from tests.browser.pointer import drag_with_mouse
from tests.browser.test_settings import choose, shade
from tests.browser.visitors import PASSWORD, Visitor

pytestmark = pytest.mark.browser

PAGES = [
    "/players/",
    "/players/?name=pia",
    "/players/{name}/",
    "/players/{name}/games/",
    "/buddies/",
    "/blocked/",
    "/profile/",
    "/preferences/",
    "/friends/",
    "/my-data/",
    "/close-account/",
]


def sign_in(visitor: Visitor, name: str) -> None:
    """Sign in through the form."""
    visitor.go("/accounts/login/")
    visitor.page.get_by_label("Username or e-mail").fill(name)
    visitor.page.get_by_label("Password").fill(PASSWORD)
    visitor.page.locator("main").get_by_role("button", name="Sign in", exact=True).click()
    expect(visitor.page.get_by_role("link", name="My games")).to_be_visible()


@pytest.mark.nightly  # CI looks at them where they have something to show: test_page_table.py
def test_axe_finds_nothing_on_the_pages_of_a_new_member(new_visitor: NewVisitor) -> None:
    pia = new_visitor("pia-looks")

    assert_nothing_found(
        inspect_pages(pia, [path.format(name=pia.name) for path in PAGES], problems_in_two_looks)
    )


def test_axe_finds_nothing_on_what_guests_and_others_see(new_visitor: NewVisitor) -> None:
    owner, other, guest = new_visitor("ulf"), new_visitor("vera"), new_visitor()
    owner.go("/profile/")
    owner.page.get_by_label("Country").select_option("SE")
    owner.page.get_by_label("About me").fill("# I\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> said\n\n`code`")
    owner.page.get_by_role("button", name="Save").click()
    expect(owner.page.get_by_text("Your profile is saved.")).to_be_visible()

    found = {}
    for visitor in (other, guest):
        visitor.go("/players/ulf/")
        found[visitor.name or "guest"] = problems_in_two_looks(visitor.page)
    other.page.get_by_role("button", name="Block").click()
    expect(other.page.get_by_text("You have blocked ulf: they")).to_be_visible()
    found["ignored"] = problems_in_two_looks(other.page)
    other.go("/blocked/")
    found["list"] = problems_in_two_looks(other.page)

    assert_nothing_found(found)


def test_everything_can_be_done_without_javascript(new_visitor: NewVisitor) -> None:
    new_visitor("walter")
    xenia = new_visitor("xenia", java_script_enabled=False)
    xenia.go("/players/walter/")
    xenia.page.get_by_role("button", name="Add to buddies").click()
    xenia.page.get_by_label("Your note (only you can see it)").fill("slow and sure")
    xenia.page.get_by_role("button", name="Save note").click()
    xenia.go("/buddies/")
    expect(xenia.page.locator("blockquote")).to_have_text("slow and sure")

    xenia.go("/preferences/")
    xenia.page.get_by_label("High contrast").check()
    xenia.page.get_by_label("Time zone").select_option("Europe/Prague")
    xenia.page.get_by_role("button", name="Save").click()
    xenia.go("/analysis/")
    assert shade(xenia) == "rgb(74, 74, 74)"

    xenia.go("/close-account/")
    xenia.page.get_by_role("button", name="Close my account for good").click()
    xenia.page.get_by_label("Password").fill(PASSWORD)
    xenia.page.get_by_role("button", name="Continue").click()
    expect(xenia.page.get_by_text("Your account is closed.")).to_be_visible()
    expect(xenia.page.get_by_role("link", name="Sign up").first).to_be_visible()


def test_a_player_is_found_and_added_as_a_buddy_by_keyboard(new_visitor: NewVisitor) -> None:
    new_visitor("yngve")
    zoe = new_visitor("zoe")
    zoe.go("/players/")
    zoe.page.get_by_label("Name or part of it").focus()
    zoe.page.keyboard.type("yngve")
    zoe.page.keyboard.press("Enter")
    person = zoe.page.get_by_role("link", name="yngve")
    expect(person).to_be_visible()
    press_until_focused(zoe, person)
    zoe.page.keyboard.press("Enter")
    add = zoe.page.get_by_role("button", name="Add to buddies")
    expect(add).to_be_visible()
    press_until_focused(zoe, add)
    zoe.page.keyboard.press("Enter")

    expect(zoe.page.get_by_text("yngve is now one of your buddies.")).to_be_visible()


def test_board_settings_follow_the_member_to_another_device(new_visitor: NewVisitor) -> None:
    here, there = new_visitor("quin"), new_visitor()
    here.go("/analysis/")
    with here.page.expect_response("**/api/v1/preferences") as kept:
        choose(here, "Wood")
    assert kept.value.ok

    sign_in(there, "quin")
    there.go("/analysis/")

    assert shade(there) == "rgb(169, 116, 79)"
    assert there.page.evaluate("localStorage.getItem('crownhead:board')") is None


def test_a_dark_page_is_chosen_on_a_light_device(new_visitor: NewVisitor) -> None:
    rosa = new_visitor("rosa", viewport=DESKTOP, color_scheme="light")
    rosa.go("/preferences/")
    assert ground(rosa) == "rgb(243, 241, 236)"

    rosa.page.get_by_label("Dark", exact=True).check()
    rosa.page.get_by_role("button", name="Save").click()
    expect(rosa.page.get_by_text("Your preferences are saved.")).to_be_visible()
    assert ground(rosa) == "rgb(22, 20, 18)"

    rosa.page.get_by_label("Light", exact=True).check()
    rosa.page.get_by_role("button", name="Save").click()
    rosa.page.emulate_media(color_scheme="dark")
    rosa.go("/preferences/")
    assert ground(rosa) == "rgb(243, 241, 236)"


def test_the_click_setting_turns_dragging_off(new_visitor: NewVisitor) -> None:
    guest = new_visitor()
    guest.go("/analysis/")
    choose(guest, "Click")

    drag_with_mouse(guest, 11, 15)
    expect(guest.square(15)).not_to_have_attribute("data-state", "placed")
    guest.square(11).click()
    guest.square(15).click()

    expect(guest.square(15)).to_have_accessible_name("15, red man, last move")


def test_the_drag_setting_turns_clicking_off(new_visitor: NewVisitor) -> None:
    guest = new_visitor()
    guest.go("/analysis/")
    choose(guest, "Drag")

    guest.square(11).click()
    expect(guest.square(11)).not_to_have_attribute("data-state", "selected")
    drag_with_mouse(guest, 11, 15)

    expect(guest.square(15)).to_have_accessible_name("15, red man, last move")


def test_a_player_is_found_and_added_as_a_buddy_with_a_note(new_visitor: NewVisitor) -> None:
    new_visitor("sven-olof")
    tina = new_visitor("tina")
    tina.go("/players/")
    tina.page.get_by_label("Name or part of it").fill("sven")
    tina.page.get_by_role("button", name="Search").click()
    tina.page.get_by_role("link", name="sven-olof").click()
    tina.page.get_by_role("button", name="Add to buddies").click()
    tina.page.get_by_label("Your note (only you can see it)").fill("plays the Cross")
    tina.page.get_by_role("button", name="Save note").click()

    tina.go("/buddies/")

    expect(tina.page.locator("blockquote")).to_have_text("plays the Cross")


def press_until_focused(visitor: Visitor, place: Locator) -> None:
    """Press Tab until a link or button has the focus."""
    for _ in range(60):
        visitor.page.keyboard.press("Tab")
        if place.evaluate("(element) => element === document.activeElement"):
            return
    raise AssertionError("expected to come to it by the Tab key")


def ground(visitor: Visitor) -> str:
    """The background colour of the page."""
    found: str = visitor.page.evaluate("getComputedStyle(document.body).backgroundColor")
    return found
