"""Every page of the life around the games, in a club that is weeks old: how it looks and is gone through."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from playwright.sync_api import Page

from tests.browser.addresses import OWN, PUBLIC
from tests.browser.conftest import Seat, Settled
from tests.browser.looks import DESKTOP, PHONE, faultless, flaws, seen
from tests.browser.page_table import GROUPS, Row
from tests.browser.site_pages import derived_rows
from tests.browser.test_pages import SMALL, faults
from tests.browser.test_quality import SHIFTS, shift_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

_ALL = {**GROUPS, "derived": derived_rows(listed=[*PUBLIC, *OWN])}
EACH_GROUP = pytest.mark.parametrize("rows", _ALL.values(), ids=_ALL)

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


def addresses(settled: Settled, rows: Iterable[Row], *, guest: bool = False) -> list[str]:
    """What a member, or a guest, is shown of some rows."""
    return [path for row in rows if row.guests or not guest for path in settled.shows(row)]


@EACH_GROUP
def test_axe_finds_nothing(resident: Seat, settled: Settled, rows: tuple[Row, ...]) -> None:
    faultless(seen(resident(), addresses(settled, rows), flaws))


@EACH_GROUP
@pytest.mark.parametrize("guest", [False, True], ids=["member", "guest"])
def test_pages_hold_up_on_a_small_phone(
    resident: Seat, settled: Settled, rows: tuple[Row, ...], guest: bool
) -> None:
    visitor = resident(guest=guest, viewport=SMALL)
    faultless(seen(visitor, addresses(settled, rows, guest=guest), faults))


@EACH_GROUP
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_nothing_shifts_while_a_page_comes_up(
    resident: Seat, settled: Settled, rows: tuple[Row, ...], size: dict[str, int]
) -> None:
    member = resident(viewport=size)
    member.page.add_init_script(SHIFTS)
    faultless({path: shift_of(member, path) for path in addresses(settled, rows)})


@EACH_GROUP
def test_keys_come_to_everything_and_the_focus_is_seen(
    resident: Seat, settled: Settled, rows: tuple[Row, ...]
) -> None:
    member = resident(viewport=DESKTOP, reduced_motion="reduce")
    faultless(seen(member, addresses(settled, rows), missed))


@EACH_GROUP
def test_the_same_stands_there_without_javascript(
    resident: Seat, settled: Settled, rows: tuple[Row, ...]
) -> None:
    member, plain = resident(), resident(java_script_enabled=False)
    found = {}
    for path in addresses(settled, rows):
        for visitor in (member, plain):
            visitor.go(path)
        with_scripts, without = member.page.evaluate(_SHAPE), plain.page.evaluate(_SHAPE)
        found[path] = [key for key in ("heading", "tables") if with_scripts[key] != without[key]]
        found[path] += sorted(set(with_scripts["fields"]) - set(without["fields"]))
    faultless(found)


def missed(page: Page) -> list[str]:
    """What is not come to by Tab from the top of a page, and where the focus is not to be seen."""
    steps = page.evaluate(_WALK)  # the parts of a moment are steps of their own
    for _ in range(steps + 2):
        page.keyboard.press("Tab")
    wrong: list[str] = page.evaluate(_MISSED)
    return wrong
