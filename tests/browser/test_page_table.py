"""Every page of the life around the games, in a club that is weeks old: how it looks and is gone through."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from playwright.sync_api import Page

from tests.browser.accessibility import (
    DESKTOP,
    PHONE,
    assert_nothing_found,
    inspect_pages,
    problems_in_every_look,
)
from tests.browser.conftest import NewVisitor, SampleClub
from tests.browser.page_table import GROUPS, Row
from tests.browser.test_pages import SMALL, faults
from tests.browser.test_quality import SHIFTS, shift_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

EACH_GROUP = pytest.mark.parametrize("rows", GROUPS.values(), ids=GROUPS)

_WALK = """() => {
  globalThis.walk = { reached: new Set(), unseen: [] };
  addEventListener("focusin", ({ target }) => {
    walk.reached.add(target);
    const { outlineStyle, outlineWidth } = getComputedStyle(target);
    const box = target.getBoundingClientRect();
    const outside = box.bottom <= 0 || box.top >= innerHeight;
    const plain = outlineStyle === "none" || outlineWidth === "0px";
    if (plain || outside) walk.unseen.push(target.outerHTML.slice(0, 120));
  });
  globalThis.walk.controls = () => {
    const all = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']";
    return [...document.querySelectorAll(all)].filter((control) => {
      if (!control.checkVisibility({ visibilityProperty: true }) || control.disabled) return false;
      if (control.tabIndex < 0) return false; // the squares of a board but one: arrows go to them
      if (control.matches("body > a")) return false; // the way to the content, seen while it has the focus
      if (control.type !== "radio" || control.checked) return true;
      return ![...document.getElementsByName(control.name)].some((other) => other.checked);
    });
  };
  return walk.controls().length + 7 * document.querySelectorAll("input[type^=date]").length;
}"""
_MISSED = """() => [
  ...walk
    .controls()
    .filter((control) => !walk.reached.has(control))
    .map((control) => control.outerHTML.slice(0, 120)),
  ...walk.unseen.map((text) => `focus not in sight: ${text}`),
]"""
_SHAPE = """() => ({
  heading: document.querySelector("h1")?.textContent.trim(),
  tables: [...document.querySelectorAll("main table")].map((table) => table.rows.length),
  fields: [...document.querySelectorAll("main form :is(input, select, textarea, button)[name]")]
    .filter((field) => !field.name.startsWith("csrf") && !field.closest("[data-passkeys], .scripted"))
    .map(({ form, name, type, value }) =>
      `${form.getAttribute("action")} ${name} ${type === "hidden" ? "" : value}`),
})"""


def addresses(sample_club: SampleClub, rows: Iterable[Row], *, guest: bool = False) -> list[str]:
    """What a member, or a guest, is shown of some rows."""
    return [path for row in rows if row.guests or not guest for path in sample_club.shows(row)]


@EACH_GROUP
def test_axe_finds_nothing(
    sample_visitor: NewVisitor, sample_club: SampleClub, rows: tuple[Row, ...]
) -> None:
    assert_nothing_found(
        inspect_pages(sample_visitor(), addresses(sample_club, rows), problems_in_every_look)
    )


@EACH_GROUP
@pytest.mark.parametrize("guest", [False, True], ids=["member", "guest"])
def test_pages_fit_a_small_phone(
    sample_visitor: NewVisitor, sample_club: SampleClub, rows: tuple[Row, ...], guest: bool
) -> None:
    visitor = sample_visitor(guest=guest, viewport=SMALL)
    assert_nothing_found(inspect_pages(visitor, addresses(sample_club, rows, guest=guest), faults))


@EACH_GROUP
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_nothing_shifts_while_a_page_loads(
    sample_visitor: NewVisitor, sample_club: SampleClub, rows: tuple[Row, ...], size: dict[str, int]
) -> None:
    member = sample_visitor(viewport=size)
    member.page.add_init_script(SHIFTS)
    assert_nothing_found({path: shift_of(member, path) for path in addresses(sample_club, rows)})


@EACH_GROUP
def test_tab_reaches_everything_with_a_visible_focus(
    sample_visitor: NewVisitor, sample_club: SampleClub, rows: tuple[Row, ...]
) -> None:
    member = sample_visitor(viewport=DESKTOP, reduced_motion="reduce")
    assert_nothing_found(inspect_pages(member, addresses(sample_club, rows), missed))


@EACH_GROUP
def test_pages_have_the_same_content_without_javascript(
    sample_visitor: NewVisitor, sample_club: SampleClub, rows: tuple[Row, ...]
) -> None:
    member, plain = sample_visitor(), sample_visitor(java_script_enabled=False)
    found = {}
    for path in addresses(sample_club, rows):
        for visitor in (member, plain):
            visitor.go(path)
        with_scripts, without = member.page.evaluate(_SHAPE), plain.page.evaluate(_SHAPE)
        found[path] = [key for key in ("heading", "tables") if with_scripts[key] != without[key]]
        found[path] += sorted(set(with_scripts["fields"]) - set(without["fields"]))
    assert_nothing_found(found)


def missed(page: Page) -> list[str]:
    """What is not come to by Tab from the top of a page, and where the focus is not to be seen."""
    steps = page.evaluate(_WALK)  # the parts of a moment are steps of their own
    for _ in range(steps + 2):
        page.keyboard.press("Tab")
    wrong: list[str] = page.evaluate(_MISSED)
    return wrong
