"""The pages of notifications in a browser, with and without JavaScript."""

from __future__ import annotations

import pytest
from django.core import signing
from playwright.sync_api import expect

from tests.browser.accessibility import assert_nothing_found, inspect_pages, problems_in_two_looks
from tests.browser.conftest import NewVisitor
from tests.browser.visitors import Visitor, unfold
from tests.club import Club, Player

pytestmark = pytest.mark.browser


def invite(club: Club, name: str, *guests: str) -> None:
    """Invite members to games, which notifies them."""
    host = Player(club.port, name)
    host.register()
    for guest in guests:
        terms = {"variant": "american", "colour": "second", "days_per_move": 3, "opponent": guest}
        host.expect(201, "POST", "/games", terms)


def stop_page(club: Club) -> str:
    """The unsubscribe page linked from an e-mail to the first member."""
    key = (club.data / "secret_key").read_text("ascii").strip()
    token = signing.dumps([1, "turn", "draw"], key=key, salt="crownhead.notices.stop")
    return f"/notices/stop/{token}/"


def width_needed(visitor: Visitor) -> int:
    width: int = visitor.page.evaluate("document.documentElement.scrollWidth")
    return width


def test_axe_finds_nothing_and_nothing_is_cut_off(new_visitor: NewVisitor, club: Club) -> None:
    visitor = new_visitor("told-looks")
    empty = inspect_pages(visitor, ["/notices/"], problems_in_two_looks)
    invite(club, "by-looks", "told-looks")
    pages = ("/notices/", "/notices/preferences/", stop_page(club), "/offline/")
    assert_nothing_found(empty)
    assert_nothing_found(inspect_pages(visitor, pages, problems_in_two_looks))


def test_the_pages_fit_the_narrowest_phone(new_visitor: NewVisitor) -> None:
    visitor = new_visitor("told-narrow", viewport={"width": 320, "height": 640})
    for path in ("/notices/", "/notices/preferences/"):
        visitor.go(path)
        assert width_needed(visitor) == 320


def test_notifications_and_their_settings_work_without_javascript(
    new_visitor: NewVisitor, club: Club
) -> None:
    visitor = new_visitor("told-plain", java_script_enabled=False)
    invite(club, "by-plain", "told-plain")
    visitor.go("/notices/")
    line = visitor.page.locator(".notice-list li")
    expect(line).to_have_count(1)
    visitor.page.get_by_role("button", name="Mark all as read").click()
    expect(visitor.page.get_by_text("All notifications are marked as read.")).to_be_visible()
    visitor.page.locator(".notice-list a.stretched-link").click()
    visitor.page.wait_for_url("**/games/*/")
    visitor.go("/notices/preferences/")
    unfold(visitor.page.get_by_label("Your turn, by e-mail"))
    visitor.page.get_by_label("Your turn, by e-mail").select_option("daily")
    expect(visitor.page.get_by_text("Push notifications need JavaScript.")).to_be_visible()
    visitor.page.get_by_role("button", name="Save").click()
    expect(visitor.page.get_by_text("Your settings are saved.")).to_be_visible()
    expect(visitor.page.get_by_label("Your turn, by e-mail")).to_have_value("daily")


def test_a_notification_can_be_opened_by_keyboard(new_visitor: NewVisitor, club: Club) -> None:
    visitor = new_visitor("told-keys")
    invite(club, "by-keys", "told-keys")
    visitor.go("/notices/")
    link = visitor.page.locator(".notice-list a.stretched-link")
    expect(link).to_have_count(1)
    link.focus()
    visitor.page.keyboard.press("Enter")
    visitor.page.wait_for_url("**/games/*/")
