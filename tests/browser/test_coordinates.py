"""Coordinates never touch a piece, a mark or each other: on every board, in every size, from both sides."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize

from tests.browser.conftest import NewVisitor
from tests.browser.visitors import Visitor

pytestmark = pytest.mark.browser

_SCRIPT = Path(__file__).with_name("coordinates.js").read_text("utf-8")
WINDOWS: tuple[ViewportSize, ...] = (
    {"width": 1280, "height": 900},
    {"width": 360, "height": 560},
    {"width": 320, "height": 256},
)
# Of eight, ten and twelve squares, with shades, with edges and with lines.
VARIANTS = ("american", "russian", "turkish", "international", "canadian", "alquerque")
NIGHTLY = ("russian", "turkish", "canadian")
# Styles that would let coordinates touch something, and what is then found.
TOUCHING = {
    ".square-button .number { font-size: 14px !important }": "within a man",
    ".square-button::after { mask: none !important }": "is on a ring",
    ".square-button .number { color: #888 !important }": "is faint",
    ".square-button .number { left: -4px !important }": "leaves its square",
    ".edges text { translate: 0 -0.7px }": "on the squares",
    ".square-button:focus-visible { outline-offset: -5px !important }": "on the focus",
}
_STYLE = """(style) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  document.adoptedStyleSheets = [sheet];
}"""


def faults_in_every_window(visitor: Visitor) -> tuple[list[str], int]:
    """What is wrong with the coordinates of the page's board, and how many of them were looked at."""
    page, wrong, count = visitor.page, list[str](), 0
    page.evaluate(_SCRIPT)
    for window in WINDOWS:
        page.set_viewport_size(window)
        for side in ("below", "above"):
            found = page.evaluate("coordinateFaults()")
            count += found["count"]
            wrong += [f"{window['width']}, first player {side}: {fault}" for fault in found["faults"]]
            flip(page)
    return wrong, count


def flip(page: Page) -> None:
    """Turn the board by its key, with the focus on a square that has a number."""
    page.keyboard.press("f")
    page.locator("checkers-board button[tabindex='0']").focus()


@pytest.mark.parametrize(
    "variant",
    [pytest.param(key, marks=pytest.mark.nightly if key in NIGHTLY else ()) for key in VARIANTS],
)
def test_coordinates_touch_nothing(new_visitor: NewVisitor, variant: str) -> None:
    guest = new_visitor()
    guest.go(f"/analysis/?variant={variant}")

    wrong, count = faults_in_every_window(guest)

    assert wrong == []
    assert count > 1_500


def test_what_touches_is_noticed(new_visitor: NewVisitor) -> None:
    guest = new_visitor(viewport=WINDOWS[1])
    guest.go("/analysis/")
    guest.page.evaluate(_SCRIPT)
    flip(guest.page)

    for style, fault in TOUCHING.items():
        guest.page.evaluate(_STYLE, style)
        assert fault in "\n".join(guest.page.evaluate("coordinateFaults()")["faults"]), style
