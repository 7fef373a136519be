"""The menu: by mouse, by keyboard and without JavaScript, with badges."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import NewVisitor
from tests.browser.visitors import Visitor

pytestmark = pytest.mark.browser


def head(visitor: Visitor, name: str) -> Locator:
    """The button of a submenu."""
    return visitor.page.locator("[data-menu] summary").filter(has_text=name)


def link(visitor: Visitor, name: str) -> Locator:
    """A visible link of the menu."""
    return visitor.page.get_by_role("navigation", name="Main").get_by_role("link", name=name)


def test_a_menu_opens_on_click_and_closes_on_a_click_elsewhere(new_visitor: NewVisitor) -> None:
    guest = new_visitor()
    guest.go("/rules/")

    head(guest, "Watch").click()
    expect(link(guest, "Ratings")).to_be_visible()
    head(guest, "Community").click()
    expect(link(guest, "Ratings")).not_to_be_visible()
    expect(link(guest, "News")).to_be_visible()
    guest.page.mouse.click(1200, 700)

    expect(link(guest, "News")).not_to_be_visible()


def test_a_menu_can_be_used_by_keyboard(new_visitor: NewVisitor) -> None:
    guest = new_visitor()
    guest.go("/rules/")
    keys = guest.page.keyboard

    head(guest, "Play").focus()
    keys.press("Enter")
    keys.press("Tab")
    expect(link(guest, "Play a friend by link")).to_be_focused()
    keys.press("Escape")
    expect(head(guest, "Play")).to_be_focused()
    expect(link(guest, "Play the computer")).not_to_be_visible()

    keys.press("Enter")
    head(guest, "Watch").focus()
    expect(link(guest, "Play the computer")).not_to_be_visible()


@pytest.mark.parametrize("width", [320, 768, 1280])
def test_the_menu_works_without_javascript_in_every_size(new_visitor: NewVisitor, width: int) -> None:
    guest = new_visitor(viewport={"width": width, "height": 640}, java_script_enabled=False)
    guest.go("/")

    head(guest, "Watch").click()
    link(guest, "Rules").click()

    expect(guest.page).to_have_url(f"{guest.address}/rules/")
    expect(head(guest, "Watch")).to_be_in_viewport()


def test_an_invitation_updates_the_badge_of_the_menu(new_visitor: NewVisitor) -> None:
    host, member = new_visitor("menu-host"), new_visitor("menu-member")
    member.go("/rules/")
    expect(member.page.locator(".badge:visible")).to_have_count(0)

    host.go("/new/?opponent=menu-member")
    host.page.get_by_role("button", name="Send invitation").click()

    expect(head(member, "Play")).to_have_text("Play invitations:1")
    head(member, "Play").click()
    link(member, "Invitations").click()
    expect(member.page.get_by_role("button", name="Accept")).to_be_visible()
