"""Accessibility checks: axe on a page in both sizes and both colour schemes.

A page is loaded once and then checked in several looks: no script of ours asks for the width or the preferred
colours of a window, so resizing gives the same page as loading it in that size. Each size and each scheme is
looked at once, dark on a phone and light at a desk; at night pages have all four.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pprint import pformat
from typing import Any, Literal

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, ViewportSize

from tests.browser.visitors import Visitor

ColourScheme = Literal["dark", "light"]
Look = Callable[[Page], list[str]]
DESKTOP: ViewportSize = {"width": 1280, "height": 900}
PHONE: ViewportSize = {"width": 360, "height": 740}

_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
_RULES = {"runOnly": {"type": "tag", "values": _TAGS}, "resultTypes": ["violations"]}
# The rules about colours, which are all that depends on the colour scheme.
_OF_COLOURS = {
    "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]},
    "resultTypes": ["violations"],
}
_OBJECTIONS = """async (rules) => {
  const { violations } = await axe.run(rules);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}"""
_WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


def violations(page: Page) -> list[str]:
    """The violations that axe finds on a page as it is."""
    return _ask(page, _RULES)


def violations_but_of_contrast(page: Page) -> list[str]:
    """The violations in forced colours: of texts, axe reads the colour that was forced to give way."""
    return _ask(page, {**_RULES, "rules": {"color-contrast": {"enabled": False}}})


def violations_in(page: Page, scheme: ColourScheme) -> list[str]:
    """The violations that axe finds on a page of this width in a colour scheme; then it is light again."""
    page.emulate_media(color_scheme=scheme)
    found = [f"{scheme}: {wrong}" for wrong in violations(page)]
    page.emulate_media(color_scheme="light")
    return found


def violations_in_both_colour_schemes(page: Page) -> list[str]:
    """The violations that axe finds on a page of this width, in dark and light colours."""
    page.emulate_media(color_scheme="dark")
    dark = [f"dark: {wrong}" for wrong in _ask(page, _OF_COLOURS)]
    page.emulate_media(color_scheme="light")
    return [*dark, *violations(page)]


def problems_in_every_look(page: Page) -> list[str]:
    """The violations in both sizes, each in both colour schemes, and whether the page is too wide."""
    found = []
    for size in (PHONE, DESKTOP):  # the last is that of a new window
        page.set_viewport_size(size)
        found += [f"{size['width']} wide: {fault}" for fault in problems_in_this_size(page)]
    return found


def problems_in_two_looks(page: Page) -> list[str]:
    """The violations on a phone in the dark and at a desk in the light, and whether the page is too wide."""
    found = []
    looks: tuple[tuple[ColourScheme, ViewportSize], ...] = (("dark", PHONE), ("light", DESKTOP))
    for scheme, size in looks:
        page.set_viewport_size(size)
        found += [*violations_in(page, scheme), *too_wide(page)]
    return found


def problems_in_this_size(page: Page) -> list[str]:
    """The violations in both colour schemes, and whether the page is wider than the window."""
    return [*violations_in_both_colour_schemes(page), *too_wide(page)]


def too_wide(page: Page) -> list[str]:
    """Whether the page is wider than the window."""
    return ["wider than the window"] if page.evaluate(_WIDE) else []


def _ask(page: Page, rules: dict[str, Any]) -> list[str]:
    if not page.evaluate("'axe' in globalThis"):
        page.evaluate(AXE_SCRIPT)
    found: list[str] = page.evaluate(_OBJECTIONS, rules)
    return found


def inspect_pages(visitor: Visitor, paths: Iterable[str], look: Callable[[Page], Any]) -> dict[str, Any]:
    """Open each page; what ``look`` finds, by path."""
    found = {}
    for path in paths:
        visitor.go(path)
        found[path] = look(visitor.page)
    return found


def assert_nothing_found(found: Mapping[str, Any]) -> None:
    """Fail with the findings by path, if there are any."""
    wrong = {path: violations for path, violations in found.items() if violations}
    assert not wrong, f"expected nothing, found:\n{pformat(wrong, width=110)}"
