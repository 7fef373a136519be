"""A phone whose text is set to 150 % or 200 %: nothing scrolls sideways, and nothing overlaps."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Playwright

from tests.browser.conftest import CHROMIUM, launched
from tests.browser.visitors import Visitor, open_window
from tests.club import Club

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 560}
_SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
# How many labels of the bar at the bottom reach into the next one, or out of the window.
_OVERLAPS = """() => {
  const labels = [...document.querySelectorAll(".lists > li > .item, .lists > li > details > .item")]
    .map((item) => item.querySelector("span:not(.badge, .visually-hidden, .username)"))
    .map((label) => label.getBoundingClientRect());
  return labels.filter((label, at) => label.right > (labels[at + 1]?.left ?? innerWidth)).length;
}"""
_LINES = """(name) => {
  const range = document.createRange();
  range.selectNodeContents(name);
  return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size;
}"""


@pytest.fixture(scope="module", params=[24, 32], ids=["150%", "200%"])
def large(playwright: Playwright, request: pytest.FixtureRequest) -> Iterator[Browser]:
    """A browser with large text."""
    yield from launched(playwright, CHROMIUM, switches=[f"--blink-settings=defaultFontSize={request.param}"])


def test_nothing_scrolls_sideways_with_large_text(
    large: Browser, club: Club, request: pytest.FixtureRequest
) -> None:
    names = {24: ("mid_red", "yusuf_t24"), 32: ("large_red", "yusuf_t32")}
    red, white, guest = (open_window(large, club.address, viewport=PHONE) for _ in range(3))
    for player, name in zip((red, white), names[request.node.callspec.params["large"]], strict=True):
        player.sign_up(name)
    terms = {"variant": "international", "colour": "first", "days_per_move": 3}
    game = red.call("/games", terms)["id"]
    white.call(f"/waiting-room/{game}/join")

    paths = ("/", f"/games/{game}/", "/new/", "/tournaments/", "/ratings/", "/preferences/")
    found = {path: look_at(red, path) for path in paths} | {"for guests": look_at(guest, "/")}

    assert found == dict.fromkeys(found, (0, 0))
    red.go("/")
    assert red.page.locator(".entry .player-name a").first.evaluate(_LINES) == 1


def look_at(visitor: Visitor, path: str) -> tuple[int, int]:
    """How far a page scrolls sideways, and how many labels of its bar overlap."""
    visitor.go(path)
    return visitor.page.evaluate(_SIDEWAYS), visitor.page.evaluate(_OVERLAPS)
