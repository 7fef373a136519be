"""Two ways to do whatever a page offers: by keyboard alone, and by clicks where no script runs."""

from __future__ import annotations

import email
import email.policy
import re
import time
from dataclasses import dataclass
from typing import Protocol

from playwright.sync_api import Download, Locator, expect

from tests.browser.visitors import Visitor
from tests.club import Club

MOST_TABS = 400
# A form that is sent by a script leaves the page where it is; any other takes this mark away with it.
_LEADS_ON = """(button) => {
  const leads = button.form !== null && !button.form.hasAttribute("hx-post");
  if (leads) document.documentElement.dataset.stillHere = "";
  return leads;
}"""
_HAS_FOCUS = "(element) => (element.isConnected ? element === document.activeElement : null)"
_LETTERS_COME_WITHIN = 20  # seconds


class Hands(Protocol):
    """What somebody does on the page in front of him; names are those that are read out."""

    visitor: Visitor

    def fill(self, label: str, text: str) -> None:
        """Write into a field, in the place of what stands there."""

    def choose(self, label: str, option: str) -> None:
        """Choose out of a list."""

    def check(self, label: str) -> None:
        """Mark a choice."""

    def press(self, name: str) -> None:
        """Press a button, and wait for what comes of it."""

    def follow(self, name: str) -> None:
        """Follow a link."""

    def fetch(self, name: str) -> Download:
        """Follow a link to a file."""

    def unfold(self, name: str) -> None:
        """Open what is folded away."""


@dataclass(slots=True)
class Clicks:
    """A mouse; meant for windows without scripts."""

    visitor: Visitor

    def fill(self, label: str, text: str) -> None:
        field(self.visitor, label).fill(text)

    def choose(self, label: str, option: str) -> None:
        field(self.visitor, label).select_option(label=option)

    def check(self, label: str) -> None:
        field(self.visitor, label).check()

    def press(self, name: str) -> None:
        button(self.visitor, name).click()

    def follow(self, name: str) -> None:
        before = self.visitor.page.url
        link(self.visitor, name).click()
        self.visitor.page.wait_for_url(lambda url: url != before)

    def fetch(self, name: str) -> Download:
        with self.visitor.page.expect_download() as kept:
            link(self.visitor, name).click()
        return kept.value

    def unfold(self, name: str) -> None:
        fold(self.visitor, name).click()


@dataclass(slots=True)
class Keys:
    """A keyboard: whatever is used is come to by Tab."""

    visitor: Visitor

    def fill(self, label: str, text: str) -> None:
        place = self._come_to(field(self.visitor, label))
        if place.get_attribute("type") == "datetime-local":
            day, moment = text.split("T")
            year, month, date = day.split("-")
            hour, minute = moment.split(":")
            half = "p" if int(hour) >= 12 else "a"
            twelve = f"{(int(hour) - 1) % 12 + 1:02}"
            self.visitor.page.keyboard.type(f"{month}{date}{year}")
            if not place.get_attribute(
                "max"
            ):  # else a year has four digits, and the hours come by themselves
                self.visitor.page.keyboard.press("Tab")
            self.visitor.page.keyboard.type(f"{twelve}{minute}{half}")
            assert place.input_value() == text, place.input_value()
            return
        self.visitor.page.keyboard.press("Control+a")
        self.visitor.page.keyboard.press("Delete")
        self.visitor.page.keyboard.type(text)

    def choose(self, label: str, option: str) -> None:
        self._come_to(field(self.visitor, label))
        self.visitor.page.keyboard.type(option)

    def check(self, label: str) -> None:
        place = field(self.visitor, label)
        expect(place).to_be_visible()
        if place.is_checked():
            return
        if place.get_attribute("type") == "radio":
            self._go_round(place)
        else:
            self._come_to(place)
            self.visitor.page.keyboard.press("Space")
        expect(place).to_be_checked()

    def press(self, name: str) -> None:
        place, page = self._come_to(button(self.visitor, name)), self.visitor.page
        leads_on = place.evaluate(_LEADS_ON)
        page.keyboard.press("Enter")
        if leads_on:
            expect(page.locator("html[data-still-here]")).to_have_count(0)

    def follow(self, name: str) -> None:
        self._come_to(link(self.visitor, name))
        page = self.visitor.page
        before = page.url
        page.keyboard.press("Enter")
        page.wait_for_url(lambda url: url != before)
        self.visitor.settle()

    def fetch(self, name: str) -> Download:
        self._come_to(link(self.visitor, name))
        with self.visitor.page.expect_download() as kept:
            self.visitor.page.keyboard.press("Enter")
        return kept.value

    def unfold(self, name: str) -> None:
        self._come_to(fold(self.visitor, name))
        self.visitor.page.keyboard.press("Enter")

    def _come_to(self, place: Locator) -> Locator:
        expect(place).to_be_visible()
        element = place.element_handle()  # to look for a name after each step takes longer than the step
        for _ in range(MOST_TABS):
            there = element.evaluate(_HAS_FOCUS)
            if there:
                return place
            if there is None:  # the page has changed meanwhile
                element = place.element_handle()
            self.visitor.page.keyboard.press("Tab")
        raise AssertionError(f"expected to come to {place} by the Tab key")

    def _go_round(self, place: Locator) -> None:
        """Of the choices of which one holds, that one is come to by Tab, the others by arrows."""
        name = place.get_attribute("name")
        group = self.visitor.page.locator(f"input[type=radio][name='{name}']")
        held = group.locator("visible=true").and_(self.visitor.page.locator(":checked"))
        self._come_to(held.first if held.count() else group.first)
        for _ in range(group.count()):
            if place.is_checked():
                return
            self.visitor.page.keyboard.press("ArrowDown")


def field(visitor: Visitor, label: str) -> Locator:
    """The field whose label begins so."""
    return visitor.page.locator("main").get_by_label(re.compile(f"^{re.escape(label)}")).first


def button(visitor: Visitor, name: str) -> Locator:
    """The button of a name."""
    return visitor.page.locator("main").get_by_role("button", name=name, exact=True).first


def link(visitor: Visitor, name: str) -> Locator:
    """The link whose name begins so."""
    return visitor.page.locator("main").get_by_role("link", name=re.compile(f"^{re.escape(name)}")).first


def fold(visitor: Visitor, name: str) -> Locator:
    """What opens something by a click."""
    return visitor.page.locator("main summary").filter(has_text=name).first


def see(hands: Hands, *texts: str) -> None:
    """Wait until the page says all of this."""
    for text in texts:
        place = hands.visitor.page.get_by_text(text).locator("visible=true")
        expect(place.first).to_be_visible()


def look_again(hands: Hands, *texts: str) -> None:
    """Open the page again until it says all of this: what a worker does takes a moment."""
    for _ in range(40):
        there = hands.visitor.page.locator("main").inner_text()
        if all(text in there for text in texts):
            return
        hands.visitor.page.wait_for_timeout(500)
        hands.visitor.page.goto(hands.visitor.page.url)
    raise AssertionError(f"expected {texts} on {hands.visitor.page.url}, got:\n{there}")


def path_of(hands: Hands) -> str:
    """The path of the page."""
    return hands.visitor.path


def letter_to(club: Club, address: str, *, holding: str) -> str:
    """The text of the last letter to an address in which something stands; letters take a moment."""
    for _ in range(_LETTERS_COME_WITHIN * 4):
        for file in sorted((club.data / "mail").glob("*.eml"), reverse=True):
            message = email.message_from_bytes(file.read_bytes(), policy=email.policy.default)
            body = message.get_body(("plain",))
            text = body.get_content() if body else ""
            if message["To"] == address and holding in text:
                return str(text)
        time.sleep(0.25)
    raise AssertionError(f"expected a letter to {address} with {holding!r}")


def link_in(text: str, part: str) -> str:
    """The path of the first link of a letter that holds a part."""
    found = re.search(rf"https?://[^/\s]+(\S*{re.escape(part)}\S*)", text)
    assert found is not None, f"expected a link with {part!r} in:\n{text}"
    return found[1]
