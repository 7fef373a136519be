"""Every page of the life around the games, in a club that is weeks old: how it looks and is gone through."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from playwright.sync_api import Page

from tests.browser.accessibility import (
    DESKTOP,
    PHONE,
    ColourScheme,
    assert_nothing_found,
    inspect_pages,
    problems_in_this_size,
    too_wide,
    violations_in,
)
from tests.browser.conftest import NewVisitor, SampleClub
from tests.browser.forced_colours import faults_in_forced_colours
from tests.browser.page_paths import OWN, PUBLIC
from tests.browser.page_table import GROUPS, Row
from tests.browser.site_pages import derived_rows
from tests.browser.test_pages import SMALL, faults
from tests.browser.test_quality import SHIFTS, shifted
from tests.lengths import short_and_full

pytestmark = [pytest.mark.browser, pytest.mark.slow]

_SCHEME: tuple[ColourScheme, ColourScheme] = ("light", "dark")  # at a desk, on a phone
_MOST = 14  # addresses in a test, so that no process is left alone with a long one


def in_parts(rows: Iterable[Row]) -> Iterator[tuple[Row, ...]]:
    """The rows of a group in parts of some addresses each."""
    part: list[Row] = []
    for row in rows:
        if part and sum(len(other.shows) for other in (*part, row)) > _MOST:
            yield tuple(part)
            part = []
        part.append(row)
    yield tuple(part)


_GROUPS = {**GROUPS, "derived": derived_rows(listed=[*PUBLIC, *OWN])}
_ALL = {f"{name}-{at}": part for name, rows in _GROUPS.items() for at, part in enumerate(in_parts(rows), 1)}
EACH_GROUP = pytest.mark.parametrize("rows", _ALL.values(), ids=_ALL)
FIRST_OR_ALL = pytest.mark.parametrize("most", short_and_full(1, None))  # pages of a row

_WALK = """(within) => {
  const part = document.querySelector(within);
  if (within !== "body") part.focus(); // the next control is its first
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
    return [...part.querySelectorAll(all)].filter((control) => {
      if (!control.checkVisibility({ visibilityProperty: true }) || control.disabled) return false;
      if (control.closest("[inert]")) return false; // a picture of something
      if (control.tabIndex < 0) return false; // the squares of a board but one: arrows go to them
      if (control.matches("body > a")) return false; // the way to the content, seen while it has the focus
      if (control.type !== "radio" || control.checked) return true;
      return ![...document.getElementsByName(control.name)].some((other) => other.checked);
    });
  };
  return walk.controls().length + 7 * part.querySelectorAll("input[type^=date]").length;
}"""
_MISSED = """() => [
  ...walk
    .controls()
    .filter((control) => !walk.reached.has(control))
    .map((control) => control.outerHTML.slice(0, 120)),
  ...walk.unseen.map((text) => `focus not in sight: ${text}`),
]"""
_FROM_THE_TOP = """() => {
  document.activeElement.blur();
  scrollTo({ top: 0, behavior: "instant" });
}"""
_SHAPE = """() => ({
  heading: document.querySelector("h1")?.textContent.trim(),
  tables: [...document.querySelectorAll("main table")].map((table) => table.rows.length),
  fields: [...document.querySelectorAll("main form :is(input, select, textarea, button)[name]")]
    .filter((field) => !field.name.startsWith("csrf") && !field.closest("[data-passkeys], .requires-js"))
    .map(({ form, name, type, value }) =>
      `${form.getAttribute("action")} ${name} ${type === "hidden" ? "" : value}`),
})"""


def addresses(sample_club: SampleClub, rows: Iterable[Row], most: int | None = None) -> list[str]:
    """What a member is shown of some rows, at most so many pages of each."""
    return [path for row in rows for path in sample_club.shows(row)[:most]]


@FIRST_OR_ALL
@EACH_GROUP
def test_a_page_at_a_desk_and_on_a_phone(
    sample_visitor: NewVisitor, sample_club: SampleClub, rows: tuple[Row, ...], most: int | None
) -> None:
    """Nothing shifts, axe finds nothing, smaller phones do, nothing needs a script.

    In CI a page is loaded once, every second one on a phone, where it is dark; axe looks at it in that size
    alone. At night it is loaded in both sizes and looked at in both colour schemes. It is gone through by
    keys from its top, or from its content where another page has the same menus. Last it is looked at in
    forced colours, by turns on a light and a dark ground, at night on both.
    """
    member, plain = sample_visitor(), sample_visitor(java_script_enabled=False)
    member.page.add_init_script(SHIFTS)
    found: dict[str, list[str]] = {}
    for number, path in enumerate(addresses(sample_club, rows, most)):
        plain.go(path)
        within = "main" if number and most else "body"
        wrong = []
        for at, size in enumerate((PHONE, DESKTOP) if number % 2 else (DESKTOP, PHONE)):
            member.page.set_viewport_size(size)
            if at == 0 or not most:
                member.go(path)
                wrong += shifts(member.page)
                wrong += looked_at(member.page, _SCHEME[size is PHONE] if most else None)
            else:
                wrong += too_wide(member.page)
            if size is DESKTOP:
                wrong += [*missed(member.page, within), *needing_scripts(member.page, plain.page)]
            else:
                member.page.set_viewport_size(SMALL)
                wrong += faults(member.page)
        for scheme in _SCHEME if not most else (_SCHEME[number % 2],):
            member.page.emulate_media(color_scheme=scheme)
            wrong += faults_in_forced_colours(member.page, by_axe=not most)
        member.page.emulate_media(color_scheme="light")
        member.page.evaluate("sessionStorage.clear()")  # boards keep their moves
        found[path] = wrong
    assert_nothing_found(found)


@FIRST_OR_ALL
@EACH_GROUP
def test_pages_hold_up_on_a_guests_small_phone(
    sample_visitor: NewVisitor, sample_club: SampleClub, rows: tuple[Row, ...], most: int | None
) -> None:
    visitor = sample_visitor(guest=True, viewport=SMALL)
    paths = [path for row in rows if row.guests for path in sample_club.shows(row)[:most]]
    assert_nothing_found(inspect_pages(visitor, paths, faults))


def looked_at(page: Page, scheme: ColourScheme | None) -> list[str]:
    """What axe finds in a colour scheme, or in both, and whether the page is wider than the window."""
    return problems_in_this_size(page) if scheme is None else [*violations_in(page, scheme), *too_wide(page)]


def shifts(page: Page) -> list[str]:
    """How far what is on the page has shifted by itself so far, if it has."""
    found = shifted(page)
    return [f"shifts by {found}"] if found else []


def needing_scripts(page: Page, plain: Page) -> list[str]:
    """What the page has otherwise, or has no more, where no scripts run."""
    shape, without = page.evaluate(_SHAPE), plain.evaluate(_SHAPE)
    others = [f"another {key}" for key in ("heading", "tables") if shape[key] != without[key]]
    return others + sorted(set(shape["fields"]) - set(without["fields"]))


def missed(page: Page, within: str) -> list[str]:
    """What is not come to by Tab in a part of a page, and where the focus is not to be seen."""
    page.emulate_media(reduced_motion="reduce")
    steps = page.evaluate(_WALK, within)  # the parts of a moment are steps of their own
    for _ in range(steps + 2):
        page.keyboard.press("Tab")
    wrong: list[str] = page.evaluate(_MISSED)
    page.emulate_media(reduced_motion="no-preference")
    page.evaluate(_FROM_THE_TOP)
    return wrong
