"""Messages, news, help and security pages: live updates, keyboard, and every size."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import (
    DESKTOP,
    PHONE,
    assert_nothing_found,
    inspect_pages,
    problems_in_two_looks,
    violations,
)
from tests.browser.conftest import NewVisitor
from tests.browser.visitors import PASSWORD, Visitor

pytestmark = pytest.mark.browser

GUESTS = ["/news/", "/help/", "/help/board/", "/help/api/", "/questions/", "/contact/"]
MEMBERS = [
    "/messages/",
    "/messages/?unread=1",
    "/messages/sent/",
    "/messages/search/?q=game",
    "/messages/new/",
    "/reports/",
    "/contact/",
    "/accounts/security/",
    "/accounts/sessions/",
    "/accounts/tokens/",
    "/accounts/passkeys/",
]


def write(sender: Visitor, to: str, text: str, subject: str = "") -> str:
    """Send a message through the form; the path of the conversation."""
    sender.go(f"/messages/new/?to={to}")
    sender.page.get_by_label("Subject").fill(subject)
    sender.page.get_by_label("Message", exact=True).fill(text)
    sender.page.locator("main").get_by_role("button", name="Send").click()
    expect(sender.page.get_by_text("Message sent.")).to_be_visible()
    return sender.path


def test_a_message_appears_in_an_open_list(new_visitor: NewVisitor) -> None:
    anna, bob = new_visitor("talk-anna"), new_visitor("talk-bob")
    bob.go("/messages/")

    write(anna, "talk-bob", "Good game!", "The cup")

    line = bob.page.get_by_role("link", name="talk-anna · The cup")
    expect(line).to_be_visible()
    expect(bob.page.locator(".item .badge[data-badge='messages']").first).to_contain_text("1")
    line.click()
    expect(bob.page.locator(".bubble")).to_have_text("Good game!")
    expect(bob.page.locator(".badge[data-badge='messages']").first).to_be_hidden()


def test_a_draft_survives_an_incoming_message(new_visitor: NewVisitor) -> None:
    anna, bob = new_visitor("draft-anna"), new_visitor("draft-bob")
    path = write(anna, "draft-bob", "Hello")
    bob.go(path)
    field = bob.page.get_by_label("Your message")
    field.fill("I was about to say")

    anna.page.get_by_label("Your message").fill("Are you there?")
    anna.page.locator("main").get_by_role("button", name="Send").click()

    expect(bob.page.locator(".bubble")).to_have_count(2)
    expect(field).to_have_value("I was about to say")
    bob.page.locator("main").get_by_role("button", name="Send").click()
    expect(anna.page.locator(".bubble")).to_have_count(3)
    expect(field).to_have_value("")


def test_a_selection_survives_an_incoming_message(new_visitor: NewVisitor) -> None:
    anna, bob = new_visitor("pick-anna"), new_visitor("pick-bob")
    write(anna, "pick-bob", "Hello", "The cup")
    bob.go("/messages/")
    pick = bob.page.get_by_label("Select the conversation with pick-anna: The cup")
    pick.check()

    write(anna, "pick-bob", "And this", "The league")

    expect(bob.page.get_by_role("link", name="pick-anna · The league")).to_be_visible()
    expect(pick).to_be_checked()
    expect(pick).to_be_focused()
    expect(bob.page.get_by_label("Select the conversation with pick-anna: The league")).not_to_be_checked()
    assert bob.console_errors == []


def test_a_reply_can_be_sent_by_keyboard(new_visitor: NewVisitor) -> None:
    anna, bob = new_visitor("keys-anna"), new_visitor("keys-bob")
    bob.go(write(anna, "keys-bob", "Hello"))

    bob.page.get_by_label("Your message").focus()
    bob.page.keyboard.type("With pleasure.")
    bob.page.keyboard.press("Tab")
    bob.page.keyboard.press("Enter")

    expect(bob.page.locator(".bubble")).to_have_count(2)


def test_a_message_can_be_deleted(new_visitor: NewVisitor) -> None:
    anna, bob = new_visitor("gone-anna"), new_visitor("gone-bob")
    bob.go(write(anna, "gone-bob", "Hello"))

    bob.page.get_by_label("Message actions").click()
    assert violations(bob.page) == []
    bob.page.get_by_role("button", name="Delete for me").click()

    expect(bob.page.get_by_text("Message deleted.")).to_be_visible()


def test_a_long_conversation_is_scrolled_to_its_latest_message(new_visitor: NewVisitor) -> None:
    anna, bob = new_visitor("long-anna", viewport=PHONE), new_visitor("long-bob", viewport=PHONE)
    for number in range(8):
        path = write(anna, "long-bob", f"Message {number}. " + "It has many words. " * 8)

    bob.go(path)

    expect(bob.page.locator(".bubble").last).to_be_in_viewport()
    expect(bob.page.get_by_label("Your message")).to_be_visible()


def test_messages_work_without_javascript(new_visitor: NewVisitor) -> None:
    anna, bob = (
        new_visitor("plain-anna", java_script_enabled=False),
        new_visitor("plain-bob", java_script_enabled=False),
    )
    path = write(anna, "plain-bob", "Hello")

    bob.go("/messages/")
    bob.page.get_by_role("link", name="plain-anna").first.click()
    bob.page.get_by_label("Your message").fill("Hello yourself")
    bob.page.locator("main").get_by_role("button", name="Send").click()

    anna.go(path)
    expect(anna.page.locator(".bubble")).to_have_text(["Hello", "Hello yourself"])


@pytest.mark.nightly  # CI looks at them as a member sees them: test_page_table.py
def test_axe_finds_nothing_on_news_and_help(new_visitor: NewVisitor) -> None:
    assert_nothing_found(inspect_pages(new_visitor(), GUESTS, problems_in_two_looks))


@pytest.mark.nightly  # CI looks at them in the sample club: test_page_table.py
def test_axe_finds_nothing_on_messages_and_security(new_visitor: NewVisitor) -> None:
    anna, bob = new_visitor("look-anna"), new_visitor("look-bob")
    path = write(anna, "look-bob", "A good game! See https://club.example/" + "x" * 60, "The game")

    pages = [*MEMBERS, path, "/report/player/look-anna/"]
    assert_nothing_found(inspect_pages(bob, pages, problems_in_two_looks))


def test_axe_finds_nothing_behind_a_password(new_visitor: NewVisitor) -> None:
    member = new_visitor("look-carl")
    member.go("/accounts/second-factor/app/")
    member.page.get_by_label("Password").fill(PASSWORD)
    member.page.get_by_role("button", name="Continue").click()

    pages = ["/accounts/second-factor/app/", "/accounts/passkeys/add/"]
    assert_nothing_found(inspect_pages(member, pages, problems_in_two_looks))


def test_the_menu_leads_to_messages_news_help_and_security(new_visitor: NewVisitor) -> None:
    member = new_visitor("menu-anna", viewport=DESKTOP)
    for menu, link, heading in (
        ("Community", "Messages", "Messages"),
        ("Community", "News", "News"),
        ("Community", "Help", "Help"),
        ("menu-anna", "Security", "Account security"),
    ):
        member.go("/rules/")
        member.page.locator("header summary").filter(has_text=menu).click()
        member.page.locator("header").get_by_role("link", name=link).click()
        expect(member.page.get_by_role("heading", level=1, name=heading)).to_be_visible()
