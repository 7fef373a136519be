"""Checks for every page: no console errors, one heading, labelled controls, no overflow on a small phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.accessibility import assert_nothing_found
from tests.browser.conftest import ActiveMember, NewVisitor
from tests.browser.page_paths import OWN, PUBLIC
from tests.browser.test_live import start_game
from tests.browser.visitors import Visitor

pytestmark = pytest.mark.browser

SMALL: ViewportSize = {"width": 320, "height": 568}
RULES = [f"/rules/{key}/" for key in ("italian", "canadian", "alquerque", "hawaiian")]

_FAULTS = """() => {
  const faults = [];
  const seen = (element) => element.checkVisibility({ checkOpacity: false });
  const nameOf = (element) =>
    element.getAttribute("aria-label") ||
    (element.labels && [...element.labels].map((label) => label.textContent).join(" ")) ||
    element.textContent;
  const wide = document.documentElement.scrollWidth;
  if (wide > window.innerWidth) faults.push(`scrolls sideways: ${wide} > ${window.innerWidth}`);
  if (document.querySelectorAll("h1").length !== 1) faults.push("not one h1");
  if (!document.documentElement.lang) faults.push("no language");
  if (!document.title.trim()) faults.push("no title");
  const controls = "a[href], button, input:not([type=hidden]), select, textarea";
  for (const element of document.querySelectorAll(controls)) {
    if (!(nameOf(element) || "").trim()) faults.push(`no name: ${element.outerHTML.slice(0, 120)}`);
  }
  for (const image of document.querySelectorAll("[role=img]")) {
    if (!image.getAttribute("aria-label")) faults.push(`no text: ${image.outerHTML.slice(0, 120)}`);
  }
  const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
  ids.filter((id, index) => ids.indexOf(id) !== index).forEach((id) => faults.push(`id twice: ${id}`));
  for (const element of document.querySelectorAll("[style]")) faults.push(`inline style: ${element.tagName}`);
  for (const element of document.querySelectorAll("main button, main a.button, header a, header summary")) {
    const box = element.getBoundingClientRect();
    const least = element.matches("[data-square]") ? 24 : 40;
    const small = box.width && Math.min(box.width, box.height) < least && !element.closest("[inert]");
    if (small && seen(element)) faults.push(`too small to touch: ${nameOf(element).trim()}`);
  }
  return faults;
}"""


def faults(page: Page) -> list[str]:
    """The faults of a page, after opening it."""
    found: list[str] = page.evaluate(_FAULTS)
    return found


def test_public_pages_fit_a_small_phone(new_visitor: NewVisitor) -> None:
    guest = new_visitor(viewport=SMALL)

    found = {path: look_at(guest, path) for path in [*PUBLIC, *RULES]}

    assert_nothing_found(found)
    guest.console_errors[:] = [line for line in guest.console_errors if "404" not in line]  # /no-such-page/


def test_the_pages_of_a_member_fit_a_small_phone(
    new_visitor: NewVisitor, active_member: ActiveMember
) -> None:
    member = new_visitor(viewport=SMALL)
    member.sign_in(active_member.member, active_member.password)

    found = {path: look_at(member, path) for path in [*OWN, *active_member.pages]}

    assert_nothing_found(found)


def test_long_names_fit_on_the_page_of_a_game(new_visitor: NewVisitor) -> None:
    red, white = start_game(new_visitor, "the-smallest-of-reds", "the-longest-of-white")
    for player in (red, white):
        player.page.set_viewport_size({"width": 320, "height": 568})

    assert faults(red.page) == faults(white.page) == []


def look_at(visitor: Visitor, path: str) -> list[str]:
    """The faults of a page."""
    visitor.go(path)
    return faults(visitor.page)


@pytest.mark.parametrize("width", [320, 1280])
def test_nothing_shifts_when_a_piece_is_selected(new_visitor: NewVisitor, width: int) -> None:
    red, _white = start_game(new_visitor, f"still-red-{width}", f"still-white-{width}")
    red.page.set_viewport_size({"width": width, "height": 900})
    parts = "[...document.querySelectorAll('.square, .box, .button:not(.submit-bar *)')]"
    places = f"() => {parts}.map((part) => part.getBoundingClientRect().top)"
    before = red.page.evaluate(places)

    red.square(11).click()
    red.square(15).click()

    assert red.page.evaluate(places) == before


def test_choosing_a_variant_shows_its_board_and_keeps_the_focus(new_visitor: NewVisitor) -> None:
    member = new_visitor("chooses")
    member.go("/new/")

    member.choose("Italian draughts")

    expect(member.page.get_by_text("the corner at each player's right in play")).to_be_visible()
    expect(member.page.get_by_label("Italian draughts", exact=True)).to_be_focused()
    expect(member.page.get_by_label("White (first)", exact=True)).to_be_visible()


def test_without_javascript_a_button_shows_the_board_of_the_variant(new_visitor: NewVisitor) -> None:
    member = new_visitor("chooses-plain", java_script_enabled=False)
    member.go("/new/")

    member.page.get_by_label("Italian draughts", exact=True).check()
    member.page.get_by_role("button", name="Show board and rules").click()

    expect(member.page.get_by_text("the corner at each player's right in play")).to_be_visible()


def test_a_variant_is_found_by_a_part_of_its_name(new_visitor: NewVisitor) -> None:
    member = new_visitor("finds")
    member.go("/new/")
    hawaiian = member.page.get_by_label("Hawaiian checkers", exact=True)
    expect(hawaiian).not_to_be_visible()

    member.page.get_by_label("Search games by name").fill("HAWAII")
    expect(hawaiian).to_be_visible()
    expect(member.page.get_by_label("American checkers", exact=True)).not_to_be_visible()
    hawaiian.check()

    expect(member.page.get_by_text("Konane: the board starts full.")).to_be_visible()


def test_an_unknown_variant_name_is_reported(new_visitor: NewVisitor) -> None:
    member = new_visitor("finds-none")
    member.go("/new/")

    member.page.get_by_label("Search games by name").fill("chess")
    expect(member.page.get_by_text("No games found.")).to_be_visible()
    member.page.keyboard.press("Enter")
    member.page.get_by_label("Search games by name").fill("")

    expect(member.page.get_by_label("American checkers", exact=True)).to_be_checked()
    expect(member.page.get_by_label("American checkers", exact=True)).to_be_visible()
