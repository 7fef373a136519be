"""A form is sent once, however often its button is pressed before the next page is there."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.browser.conftest import NewVisitor
from tests.browser.visitors import Visitor

pytestmark = pytest.mark.browser


def click_twice(visitor: Visitor, button: Locator) -> None:
    """Click, and again while the next page is on its way."""
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    visitor.page.mouse.click(x, y)
    visitor.page.wait_for_timeout(30)
    visitor.page.mouse.click(x, y)


def test_a_double_click_sends_one_message_and_enter_held_down_one_invitation(new_visitor: NewVisitor) -> None:
    anna, bob = new_visitor("twice-anna"), new_visitor("twice-bob")
    anna.go(f"/messages/new/?to={bob.name}")
    anna.page.get_by_label("Message", exact=True).fill("Hello")
    click_twice(anna, anna.page.locator("main").get_by_role("button", name="Send"))
    expect(anna.page.get_by_text("Message sent.")).to_be_visible()

    anna.go("/new/")
    anna.choose("American checkers")
    anna.page.locator("[name='opponent']").fill(bob.name)
    for _ in range(6):
        anna.page.keyboard.down("Enter")
        anna.page.wait_for_timeout(30)
    anna.page.keyboard.up("Enter")
    anna.page.wait_for_url(lambda address: "/new/" not in address)

    bob.go("/messages/")
    expect(bob.page.locator(".threads li")).to_have_count(1)
    bob.go("/invitations/")
    expect(bob.page.get_by_role("button", name="Accept")).to_have_count(1)


def test_a_form_is_sent_again_from_a_page_that_one_has_come_back_to(new_visitor: NewVisitor) -> None:
    anna, bob = new_visitor("back-anna"), new_visitor("back-bob")
    anna.go(f"/messages/new/?to={bob.name}")
    anna.page.get_by_label("Message", exact=True).fill("Hello")
    button = anna.page.locator("main").get_by_role("button", name="Send")
    anna.page.route("**/messages/new/**", lambda route: route.fulfill(status=204), times=1)
    click_twice(anna, button)  # the page stays
    anna.page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    button.click()
    expect(anna.page.get_by_text("Message sent.")).to_be_visible()


def test_a_page_that_is_being_left_does_not_ask_for_what_its_form_has_deleted(
    new_visitor: NewVisitor,
) -> None:
    anna, bob = new_visitor("leaves-anna"), new_visitor("leaves-bob")
    anna.go(f"/messages/new/?to={bob.name}")
    anna.page.get_by_label("Message", exact=True).fill("Hello")
    anna.page.locator("main").get_by_role("button", name="Send").click()
    anna.page.wait_for_url(re.compile(r"/messages/[^/]+/$"))
    conversation = anna.page.url
    asked: list[str] = []
    anna.page.on("request", lambda request: asked.append(request.url))

    def answer_late(route: Route) -> None:
        answer = route.fetch(max_redirects=0)
        anna.page.wait_for_timeout(1500)  # the stream reports the deletion before this page is left
        route.fulfill(response=answer)

    anna.page.route("**/delete/", answer_late)
    anna.page.locator("main summary").filter(has_text="Delete conversation").click()
    anna.page.locator("main").get_by_role("button", name="Delete", exact=True).click()
    expect(anna.page.get_by_text("Conversation deleted.")).to_be_visible()
    assert [address for address in asked if address.startswith(conversation)] == [f"{conversation}delete/"]
