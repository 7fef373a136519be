"""What an input lets the browser style again: only what it changes, which keeps slow devices quick."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Locator

from tests.browser.conftest import NewVisitor
from tests.browser.visitors import Visitor

pytestmark = pytest.mark.browser

_PAINTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"
_QUIET, _MOST_WAITS = 200, 50  # milliseconds in which nothing is styled, and how often they are tried
_CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline"]


def elements(visitor: Visitor) -> int:
    """How many elements the page has."""
    found: int = visitor.page.evaluate("document.querySelectorAll('*').length")
    return found


def restyled(browser: Browser, visitor: Visitor, act: Callable[[], object]) -> int:
    """How many elements, those that pieces are drawn of too, are styled at once until an input is painted.

    What the page has loaded late, on a busy machine, is no matter of the input, and waited for.
    """
    for _ in range(_MOST_WAITS):
        if not _styled(browser, visitor, lambda: visitor.page.wait_for_timeout(_QUIET)):
            break
    return _styled(browser, visitor, act)


def _styled(browser: Browser, visitor: Visitor, act: Callable[[], object]) -> int:
    visitor.page.evaluate(_PAINTED)
    browser.start_tracing(page=visitor.page, categories=_CATEGORIES)
    act()
    visitor.page.evaluate(_PAINTED)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    return sum(
        event["args"].get("elementCount", 0) for event in events if event["name"] == "UpdateLayoutTree"
    )


def choice(panel: Locator, label: str) -> Locator:
    """A choice in a panel, in sight."""
    found = panel.get_by_label(label, exact=True)
    found.scroll_into_view_if_needed()
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_board_settings_style_no_more_than_themselves_and_the_board(
    browser: Browser, new_visitor: NewVisitor, scheme: str
) -> None:
    guest = new_visitor(color_scheme=scheme)
    guest.go("/analysis/")
    panel = guest.page.locator("[data-dialog='settings']")
    own = panel.locator("*").count()
    board = guest.page.locator("checkers-board *").count() + 24 * 14  # what its pieces are drawn of

    opener = guest.page.get_by_role("button", name="Board settings")
    opened = []
    for _ in range(3):  # the first time the previews are drawn too, before the paint or after it
        opened.append(restyled(browser, guest, opener.click))
        guest.page.keyboard.press("Escape")
    opener.click()
    assert min(opened) < 2 * own
    for label in ("Wood", "Slate", "High contrast", "Tournament"):
        assert restyled(browser, guest, choice(panel, label).check) < board, label
    assert restyled(browser, guest, lambda: guest.page.keyboard.press("Escape")) < own
    assert elements(guest) > 2 * own, "less than the page"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_choice_among_the_preferences_styles_its_preview_alone(
    browser: Browser, new_visitor: NewVisitor, scheme: str
) -> None:
    member = new_visitor(f"chooses-{scheme}", color_scheme=scheme)
    member.go("/preferences/")
    preview = member.page.locator(".board-preview *").count() + 14 * 14
    form = member.page.locator("form.chosen")

    for label in ("Wood", "Slate", "High contrast", "Around the board", "Tournament"):
        assert restyled(browser, member, choice(form, label).check) < preview, label
    assert elements(member) > 2 * preview
