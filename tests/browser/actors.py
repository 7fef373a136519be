"""Actors that use a page: by keyboard only, or by mouse in a window without scripts."""

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

MAX_TABS = 400
# A form without htmx leads to a new page, and this mark disappears with the old one.
_IS_PLAIN_FORM = """(button) => {
  const leads = button.form !== null && !button.form.hasAttribute("hx-post");
  if (leads) document.documentElement.dataset.stillHere = "";
  return leads;
}"""
_HAS_FOCUS = "(element) => (element.isConnected ? element === document.activeElement : null)"
_EMAIL_TIMEOUT = 20  # seconds


class Actor(Protocol):
    """What a person can do on a page; names are the accessible ones."""

    visitor: Visitor

    def fill(self, label: str, text: str) -> None:
        """Replace the text of a field."""

    def choose(self, label: str, option: str) -> None:
        """Choose from a list."""

    def check(self, label: str) -> None:
        """Check a checkbox or radio button."""

    def press(self, name: str) -> None:
        """Press a button, and wait for the next page if there is one."""

    def follow(self, name: str) -> None:
        """Follow a link."""

    def download(self, name: str) -> Download:
        """Download the file of a link."""

    def expand(self, name: str) -> None:
        """Open a disclosure."""


@dataclass(slots=True)
class MouseActor:
    """Uses the mouse; meant for windows without scripts."""

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

    def download(self, name: str) -> Download:
        with self.visitor.page.expect_download() as download:
            link(self.visitor, name).click()
        return download.value

    def expand(self, name: str) -> None:
        disclosure(self.visitor, name).click()


@dataclass(slots=True)
class KeyboardActor:
    """Uses only the keyboard, and reaches everything by Tab."""

    visitor: Visitor

    def fill(self, label: str, text: str) -> None:
        place = self._tab_to(field(self.visitor, label))
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
        self._tab_to(field(self.visitor, label))
        self.visitor.page.keyboard.type(option)

    def check(self, label: str) -> None:
        place = field(self.visitor, label)
        expect(place).to_be_visible()
        if place.is_checked():
            return
        if place.get_attribute("type") == "radio":
            self._arrow_to(place)
        else:
            self._tab_to(place)
            self.visitor.page.keyboard.press("Space")
        expect(place).to_be_checked()

    def press(self, name: str) -> None:
        place, page = self._tab_to(button(self.visitor, name)), self.visitor.page
        is_plain_form = place.evaluate(_IS_PLAIN_FORM)
        page.keyboard.press("Enter")
        if is_plain_form:
            expect(page.locator("html[data-still-here]")).to_have_count(0)

    def follow(self, name: str) -> None:
        self._tab_to(link(self.visitor, name))
        page = self.visitor.page
        before = page.url
        page.keyboard.press("Enter")
        page.wait_for_url(lambda url: url != before)
        self.visitor.settle()

    def download(self, name: str) -> Download:
        self._tab_to(link(self.visitor, name))
        with self.visitor.page.expect_download() as download:
            self.visitor.page.keyboard.press("Enter")
        return download.value

    def expand(self, name: str) -> None:
        self._tab_to(disclosure(self.visitor, name))
        self.visitor.page.keyboard.press("Enter")

    def _tab_to(self, place: Locator) -> Locator:
        expect(place).to_be_visible()
        element = place.element_handle()  # to look for a name after each step takes longer than the step
        for _ in range(MAX_TABS):
            there = element.evaluate(_HAS_FOCUS)
            if there:
                return place
            if there is None:  # the page has changed meanwhile
                element = place.element_handle()
            self.visitor.page.keyboard.press("Tab")
        raise AssertionError(f"expected to reach {place} with the Tab key")

    def _arrow_to(self, place: Locator) -> None:
        """Reach a radio button: Tab goes to the checked one of its group, arrows to the others."""
        name = place.get_attribute("name")
        group = self.visitor.page.locator(f"input[type=radio][name='{name}']")
        held = group.locator("visible=true").and_(self.visitor.page.locator(":checked"))
        self._tab_to(held.first if held.count() else group.first)
        for _ in range(group.count()):
            if place.is_checked():
                return
            self.visitor.page.keyboard.press("ArrowDown")


def field(visitor: Visitor, label: str) -> Locator:
    """The field whose label starts with a text."""
    return visitor.page.locator("main").get_by_label(re.compile(rf"^\s*{re.escape(label)}")).first


def button(visitor: Visitor, name: str) -> Locator:
    """The button with a name."""
    return visitor.page.locator("main").get_by_role("button", name=name, exact=True).first


def link(visitor: Visitor, name: str) -> Locator:
    """The link whose name starts with a text."""
    return visitor.page.locator("main").get_by_role("link", name=re.compile(f"^{re.escape(name)}")).first


def disclosure(visitor: Visitor, name: str) -> Locator:
    """The summary of a disclosure."""
    return visitor.page.locator("main summary").filter(has_text=name).first


def expect_texts(actor: Actor, *texts: str) -> None:
    """Wait until the page shows all texts."""
    for text in texts:
        place = actor.visitor.page.get_by_text(text).locator("visible=true")
        expect(place.first).to_be_visible()


def reload_until(actor: Actor, *texts: str) -> None:
    """Reload the page until it shows all texts: a worker takes a moment."""
    for _ in range(40):
        there = actor.visitor.page.locator("main").inner_text()
        if all(text in there for text in texts):
            return
        actor.visitor.page.wait_for_timeout(500)
        actor.visitor.page.goto(actor.visitor.page.url)
    raise AssertionError(f"expected {texts} on {actor.visitor.page.url}, got:\n{there}")


def path_of(actor: Actor) -> str:
    """The path of the page."""
    return actor.visitor.path


def wait_for_email(club: Club, address: str, *, containing: str) -> str:
    """The text of the latest e-mail to an address that contains something; waits for it."""
    for _ in range(_EMAIL_TIMEOUT * 4):
        for file in sorted((club.data / "mail").glob("*.eml"), reverse=True):
            message = email.message_from_bytes(file.read_bytes(), policy=email.policy.default)
            body = message.get_body(("plain",))
            text = body.get_content() if body else ""
            if message["To"] == address and containing in text:
                return str(text)
        time.sleep(0.25)
    raise AssertionError(f"expected an e-mail to {address} with {containing!r}")


def link_in(text: str, part: str) -> str:
    """The path of the first link in an e-mail that contains a part."""
    found = re.search(rf"https?://[^/\s]+(\S*{re.escape(part)}\S*)", text)
    assert found is not None, f"expected a link with {part!r} in:\n{text}"
    return found[1]
