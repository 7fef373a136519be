"""What was seen on the pictures of all pages, and stays as it was mended (docs/looked_at.md)."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewVisitor, SampleClub

pytestmark = pytest.mark.browser

DESK, PHONE = {"width": 1280, "height": 900}, {"width": 360, "height": 560}
SIZES = pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
# The last characters of the lines of an element.
_LINE_ENDS = """(element) => {
  const ends = [];
  const range = document.createRange();
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let last;
  while (walker.nextNode()) {
    const { data } = walker.currentNode;
    for (let at = 0; at < data.length; at += 1) {
      range.setStart(walker.currentNode, at);
      range.setEnd(walker.currentNode, at + 1);
      const [box] = range.getClientRects();
      if (!box?.width) continue;
      if (last && box.top > last.top + 2) ends.push(last.character);
      last = { top: box.top, character: data[at] };
    }
  }
  return ends;
}"""
_LINES = """(elements) => new Set(elements.map((element) => {
  const { top, bottom } = element.getBoundingClientRect();
  return Math.round((top + bottom) / 4);
})).size"""
_TOO_WIDE = "(elements) => elements.filter((element) => element.scrollWidth > element.clientWidth + 1).length"


def lines_of(page: Page, selector: str) -> int:
    """On how many lines some elements stand, by their middles."""
    found: int = page.locator(selector).evaluate_all(_LINES)
    return found


def test_the_button_to_sign_up_is_whole_in_the_smallest_window(new_visitor: NewVisitor) -> None:
    guest = new_visitor(viewport={"width": 320, "height": 256})
    for path in ("/", "/analysis/", "/accounts/login/"):
        guest.go(path)
        box = guest.page.locator(".site-header > .button").bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= 320, path


@SIZES
def test_a_heading_is_not_broken_within_a_word(new_visitor: NewVisitor, size: dict[str, Any]) -> None:
    guest = new_visitor(viewport=size)
    guest.go("/accounts/confirm-email/")

    assert "-" not in guest.page.locator("h1").evaluate(_LINE_ENDS)


def test_the_pieces_of_the_editor_stand_in_a_line_on_a_phone(new_visitor: NewVisitor) -> None:
    guest = new_visitor(viewport=PHONE)
    guest.go("/analysis/?setup=1&variant=mule")

    assert guest.page.locator(".brush").count() == 7
    assert lines_of(guest.page, ".brush") == 1
    widths = "(all) => Math.min(...all.map((one) => one.getBoundingClientRect().width))"
    assert guest.page.locator(".brush").evaluate_all(widths) >= 44


@pytest.mark.slow
def test_the_members_of_a_team_stand_in_lines(sample_club: SampleClub, sample_visitor: NewVisitor) -> None:
    member = sample_visitor(viewport=DESK)
    member.go(f"/teams/{sample_club.facts['team']}/members/")
    rows = member.page.locator(".spans > li:has(.person)")

    for row in rows.all():
        parts = row.locator(".person, .tag, .facts, .button")
        assert parts.evaluate_all(_LINES) == 1
    ends = "(all) => new Set(all.map((one) => Math.round(one.getBoundingClientRect().right))).size"
    assert member.page.locator(".spans > li:has(.button) > .facts").evaluate_all(ends) == 1


@pytest.mark.slow
def test_a_message_has_its_sender_date_and_menu_in_a_line(
    sample_club: SampleClub, sample_visitor: NewVisitor
) -> None:
    member = sample_visitor(viewport=PHONE)
    member.go(f"/messages/{sample_club.facts['talk']}/")

    byline = member.page.locator(".byline").first
    assert byline.evaluate("(line) => line.clientHeight") < 32  # the menu's, and no second line
    byline.locator("summary").click()
    expect(byline.get_by_text("Delete for me")).to_be_visible()


def on_a_phone(sample_club: SampleClub, sample_visitor: NewVisitor, path: str) -> Page:
    """A page of the sample club as a member sees it on a phone."""
    member = sample_visitor(viewport=PHONE)
    member.go(path.format(**sample_club.facts))
    return member.page


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/tournaments/{swiss_on}/", "/ladders/{places}/"])
def test_the_pages_of_a_contest_are_named_in_a_line_on_a_phone(
    sample_club: SampleClub, sample_visitor: NewVisitor, path: str
) -> None:
    page = on_a_phone(sample_club, sample_visitor, path)

    assert page.locator(".subnav > a").count() >= 4
    assert lines_of(page, ".subnav > a") == 1


def test_the_tournaments_by_status_are_named_in_a_line_on_a_phone(new_visitor: NewVisitor) -> None:
    guest = new_visitor(viewport=PHONE)
    guest.go("/tournaments/")

    assert guest.page.locator(".subnav > a").count() == 4
    assert lines_of(guest.page, ".subnav > a") == 1


@SIZES
def test_the_level_stays_where_it_is_when_the_status_gets_shorter(
    new_visitor: NewVisitor, size: dict[str, Any]
) -> None:
    guest = new_visitor(viewport=size)
    guest.go("/")
    top = "(level) => level.getBoundingClientRect().top + scrollY"
    before = guest.page.locator("[data-level]").evaluate(top)

    for status in ("Your move.", "You won."):
        guest.page.locator("[data-status]").evaluate("(line, text) => { line.textContent = text; }", status)
        assert guest.page.locator("[data-level]").evaluate(top) == before


@pytest.mark.slow
def test_my_games_do_not_scroll_sideways_in_the_smallest_window(sample_visitor: NewVisitor) -> None:
    member = sample_visitor(viewport={"width": 320, "height": 256})
    member.go("/")

    for left in member.page.locator(".entry .left").all():  # the longest there is
        left.evaluate("(place) => { place.firstElementChild.textContent = '16 hours 27 minutes'; }")
    assert member.page.evaluate("document.documentElement.scrollWidth") == 320


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/players/{member}/ratings/american/", "/team-matches/{match_over}/"])
def test_a_table_of_games_fits_a_phone(
    sample_club: SampleClub, sample_visitor: NewVisitor, path: str
) -> None:
    around = on_a_phone(sample_club, sample_visitor, path).locator(
        ".scroll:has(> .dense), .box:has(> .dense)"
    )

    assert around.count() > 0
    assert around.evaluate_all(_TOO_WIDE) == 0


@pytest.mark.slow
def test_the_filter_of_finished_games_is_one_line_at_a_desk(sample_visitor: NewVisitor) -> None:
    member = sample_visitor(viewport=DESK)
    member.go("/games/finished/")

    bottoms = "(all) => new Set(all.map((one) => Math.round(one.getBoundingClientRect().bottom))).size"
    assert member.page.locator("main .filter :is(select, input, .button)").evaluate_all(bottoms) == 1
