"""Pages of games in forced colours, and what is noticed there; other pages are in ``test_page_table``."""

from __future__ import annotations

from functools import partial

import pytest

from tests.browser.accessibility import assert_nothing_found, inspect_pages
from tests.browser.conftest import ActiveMember, NewVisitor, SampleClub
from tests.browser.forced_colours import faults_in_forced_colours
from tests.browser.page_paths import OWN, PUBLIC
from tests.lengths import short_and_full

pytestmark = pytest.mark.browser

LOOK = pytest.mark.parametrize("by_axe", short_and_full(False, True))
_WITHOUT_OUR_RULES = """() => {
  const forced = ({ media }) => media?.mediaText.includes("forced-colors");
  const clear = (rules) => {
    for (let at = rules.cssRules.length - 1; at >= 0; at -= 1) {
      if (forced(rules.cssRules[at])) rules.deleteRule(at);
      else if (rules.cssRules[at].cssRules) clear(rules.cssRules[at]);
      else if (rules.cssRules[at].styleSheet) clear(rules.cssRules[at].styleSheet);
    }
  };
  for (const sheet of document.styleSheets) clear(sheet);
}"""


@LOOK
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_lost_on_public_pages(new_visitor: NewVisitor, scheme: str, by_axe: bool) -> None:
    guest = new_visitor(color_scheme=scheme)

    look = partial(faults_in_forced_colours, by_axe=by_axe)
    assert_nothing_found(inspect_pages(guest, PUBLIC, look))

    guest.console_errors[:] = [line for line in guest.console_errors if "404" not in line]  # /no-such-page/


@LOOK
def test_nothing_is_lost_on_a_members_pages(
    new_visitor: NewVisitor, active_member: ActiveMember, by_axe: bool
) -> None:
    member = new_visitor()
    member.sign_in(active_member.member, active_member.password)

    look = partial(faults_in_forced_colours, by_axe=by_axe)
    assert_nothing_found(inspect_pages(member, [*OWN, *active_member.pages], look))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "fault"),
    [
        ("/games/{game}/", "a state only by its background: <a href=\"?tab=moves\""),
        ("/games/{game}/", "a state only by its background: <span class=\"dot\""),
        ("/preferences/", "a state only by its background: <label class=\"choice\""),
        ("/", "nothing tells where it is: <span class=\"badge\""),
        ("/analysis/", "squares are alike"),
        ("/ladders/{places}/", "a state only by its background: <tr data-mine="),
        ("/tournaments/{cup_open}/direct/", "a state only by its background: <button class="),
    ],
)  # fmt: skip
def test_what_our_rules_mend_is_noticed_without_them(
    sample_club: SampleClub, sample_visitor: NewVisitor, path: str, fault: str
) -> None:
    member = sample_visitor()
    member.go(path.format(**sample_club.facts))
    assert faults_in_forced_colours(member.page, by_axe=False) == []

    member.page.evaluate(_WITHOUT_OUR_RULES)

    assert [found for found in faults_in_forced_colours(member.page, by_axe=False) if fault in found]


def test_a_focus_without_a_ring_and_a_faint_text_are_noticed(new_visitor: NewVisitor) -> None:
    guest = new_visitor()
    guest.go("/rules/")
    guest.page.evaluate("""() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`main a { outline: 0 !important; }
        main p { forced-color-adjust: none; color: #ddd; }`);
      document.adoptedStyleSheets = [sheet];
    }""")

    found = "\n".join(faults_in_forced_colours(guest.page, by_axe=False))

    assert "focus not to be seen: <a " in found
    assert "not to be read: <p" in found
