"""How a page looks: what axe holds against it at a desk and on a telephone, light and dark.

A page is loaded once and then looked at in every way. No script of ours asks how wide a window is or which
colours it prefers, so that a page that was made narrow is the one that is loaded narrow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pprint import pformat
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from tests.browser.visitors import Visitor

DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 360, "height": 740}
SIZES = {"phone": PHONE, "desktop": DESKTOP}  # the last is that of a new window

_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
_RULES = {"runOnly": {"type": "tag", "values": _TAGS}, "resultTypes": ["violations"]}
# All that axe asks about colours; nothing else changes where only they do.
_OF_COLOURS = {
    "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]},
    "resultTypes": ["violations"],
}
_OBJECTIONS = """async (rules) => {
  const { violations } = await axe.run(rules);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}"""
_WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


def objections(page: Page) -> list[str]:
    """What axe holds against a page as it stands."""
    return _ask(page, _RULES)


def by_day_and_night(page: Page) -> list[str]:
    """What axe holds against a page of this width in its dark and its light colours."""
    page.emulate_media(color_scheme="dark")
    dark = [f"dark: {wrong}" for wrong in _ask(page, _OF_COLOURS)]
    page.emulate_media(color_scheme="light")
    return [*dark, *objections(page)]


def flaws(page: Page) -> list[str]:
    """What axe holds against a page in each look, and where it is wider than the window."""
    found = []
    for name, size in SIZES.items():
        page.set_viewport_size(size)  # type: ignore[arg-type] # the names of its two numbers
        found += [f"{name}: {fault}" for fault in looks(page)]
    return found


def looks(page: Page) -> list[str]:
    """What axe holds against a page of this width in either colours, and whether it is wider than that."""
    return [*by_day_and_night(page), *(["wider than the window"] if page.evaluate(_WIDE) else [])]


def _ask(page: Page, rules: dict[str, Any]) -> list[str]:
    if not page.evaluate("'axe' in globalThis"):
        page.evaluate(AXE_SCRIPT)
    found: list[str] = page.evaluate(_OBJECTIONS, rules)
    return found


def seen(visitor: Visitor, paths: Iterable[str], look: Callable[[Page], Any]) -> dict[str, Any]:
    """What is found on each page."""
    found = {}
    for path in paths:
        visitor.go(path)
        found[path] = look(visitor.page)
    return found


def faultless(found: Mapping[str, Any]) -> None:
    """Nothing is found anywhere; else it is told where."""
    wrong = {path: objections for path, objections in found.items() if objections}
    assert not wrong, f"expected nothing, found:\n{pformat(wrong, width=110)}"
