"""What a person writes, chooses, opens and looks at stays when the page renews its content."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.browser.conftest import NewVisitor
from tests.browser.test_community import write
from tests.browser.test_game_life import open_tab, start_live
from tests.browser.test_live import start_game
from tests.browser.visitors import Visitor

pytestmark = pytest.mark.browser

_RENEW = """() => new Promise((done) => {
  document.addEventListener("htmx:afterSettle", () => done(), { once: true });
  document.querySelector("[data-refresh]").dispatchEvent(new CustomEvent("refresh", { bubbles: false }));
})"""


def renew(visitor: Visitor) -> None:
    """Have the content of the page replaced, as anything that happens elsewhere does."""
    visitor.page.evaluate(_RENEW)


def hold_next_post(visitor: Visitor) -> list[Route]:
    """Where the next thing that the page sends waits to be let through."""
    held: list[Route] = []

    def take(route: Route) -> None:
        if route.request.method == "POST" and not held:
            held.append(route)
        else:
            route.fallback()

    visitor.page.route(lambda address: address.startswith(visitor.address), take)
    return held


def send_slowly(visitor: Visitor, field: Locator, text: str) -> Route:
    """Send a message whose request is held back, once it is on its way."""
    held = hold_next_post(visitor)
    field.fill(text)
    field.locator("xpath=ancestor::form").get_by_role("button", name="Send").click()
    while not held:
        visitor.page.wait_for_timeout(10)
    return held[0]


def test_a_second_chat_message_is_sent_after_the_first_and_what_is_written_meanwhile_stays(
    new_visitor: NewVisitor,
) -> None:
    red, _white = start_game(new_visitor, "hasty-red", "hasty-white")
    open_tab(red, "chat")
    field = red.page.get_by_label("Message", exact=True)
    mine = red.page.locator(".chat [data-mine] .message-text")

    first = send_slowly(red, field, "Good luck,")
    field.fill("and mind the corner!")
    field.press("Enter")
    first.continue_()
    expect(mine).to_have_text(["Good luck,", "and mind the corner!"])
    expect(field).to_have_value("")

    third = send_slowly(red, field, "By the way,")
    field.press("Enter")  # once too often
    field.fill("I am on a tr")
    third.continue_()
    expect(mine).to_have_count(3)
    expect(field).to_have_value("I am on a tr")
    expect(field).to_be_focused()


def test_a_postscript_begun_while_a_message_is_sent_stays(new_visitor: NewVisitor) -> None:
    anna, _bob = new_visitor("post-anna"), new_visitor("post-bob")
    write(anna, "post-bob", "Hello")
    field = anna.page.get_by_label("Your message")

    held = send_slowly(anna, field, "How are you?")
    field.fill("P.S. I am f")
    held.continue_()

    expect(anna.page.locator(".bubble")).to_have_count(2)
    expect(field).to_have_value("P.S. I am f")


def test_choices_and_the_focus_stay_when_the_content_is_replaced(new_visitor: NewVisitor) -> None:
    red, _white = start_game(new_visitor, "chooses-red", "chooses-white")
    page = red.page
    then, win = page.locator("select[name='then']"), page.get_by_label("a win for me")
    then.select_option("next")
    page.get_by_text("Ask the staff for a decision").click()
    win.check()
    page.get_by_label("Reason").fill("They left.")
    renew(red)
    expect(then).to_have_value("next")
    expect(win).to_be_checked()
    expect(page.get_by_label("Reason")).to_have_value("They left.")

    for control in (
        page.get_by_text("Ask the staff for a decision"),
        page.get_by_role("button", name="Ask the staff", exact=True),
        page.get_by_role("link", name="Chat"),
        page.get_by_role("button", name="Play through the game"),
    ):
        control.focus()
        renew(red)
        expect(control).to_be_focused()
    page.get_by_role("button", name="Board settings").click()
    choice = page.get_by_label("Small", exact=True)
    choice.focus()
    renew(red)
    expect(choice).to_be_focused()


def test_the_question_whether_to_resign_stays_and_gives_the_focus_back(new_visitor: NewVisitor) -> None:
    red, _white = start_live(new_visitor, "asked-red", "asked-white", seconds=600)
    question = red.page.locator("#confirm-resign")
    resign = red.page.get_by_role("button", name="Resign").first
    resign.focus()
    renew(red)
    expect(resign).to_be_focused()
    resign.press("Enter")
    sure = question.get_by_role("button", name="Resign")
    sure.focus()
    renew(red)
    expect(question).to_be_visible()
    expect(sure).to_be_focused()
    red.page.keyboard.press("Escape")
    expect(question).to_be_hidden()
    expect(resign).to_be_focused()

    red.page.get_by_role("button", name="Offer a draw").click()
    offer = red.page.locator("#confirm-draw")
    offer.get_by_role("button", name="Offer a draw").click()
    expect(red.page.locator(".offer:visible")).to_have_text("You offered a draw.")
    expect(offer).to_be_hidden()
