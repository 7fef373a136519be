"""Every page of the site is looked at: most by themselves, some by a row of the table of pages."""

from __future__ import annotations

import ast

from django.urls import get_resolver

from tests.browser.page_paths import OWN, PUBLIC
from tests.browser.page_table import ACCOUNT, ROWS, Row
from tests.browser.site_pages import LOOKED_AT_WITH_GAMES, examples, patterns, unnamed_pages
from tests.house.tree import HOUSE

BROWSER = HOUSE / "tests" / "browser"


def test_every_page_is_visited() -> None:
    """A page with parameters of its own kind needs a row that says what to put in."""
    missing = [route for app, route in unnamed_pages() if not examples(route) and app != LOOKED_AT_WITH_GAMES]
    assert missing == [], "expected a row in tests/browser/page_table.py"


def test_every_page_of_an_account_has_its_row() -> None:
    there = {route for _app, route, _pattern in patterns(get_resolver()) if route.startswith(ACCOUNT)}
    assert there - {row.route for row in ROWS} == set(), "expected a row in tests/browser/page_table.py"


def test_every_row_has_its_address() -> None:
    there = {route for _app, route, _pattern in patterns(get_resolver())}
    assert {row.route for row in ROWS} - there == set(), "expected an address that the site still has"


def test_every_page_in_the_lists_has_its_address() -> None:
    there = {route for _app, route, _pattern in patterns(get_resolver())}
    listed = {path.partition("?")[0].removeprefix("/") for path in (*PUBLIC, *OWN)}
    assert listed - there - {"no-such-page/", "rules/turkish/"} == set()


def test_a_new_page_takes_its_examples_from_the_row_that_it_continues() -> None:
    assert examples("teams/<slug:team_id>/statistics/") == (
        "/teams/{team}/statistics/",
        "/teams/{rivals}/statistics/",
    )
    assert examples("clubs/") == ("/clubs/",)
    assert examples("clubs/<slug:club_id>/") == ()


def test_a_row_shows_something_or_says_why_not() -> None:
    assert [row.route for row in ROWS if bool(row.shows) == bool(row.instead)] == []


def test_what_is_done_on_a_page_is_reported_in_a_story() -> None:
    tree = ast.parse((BROWSER / "test_stories.py").read_text("utf-8"))
    stories = {node.name.removeprefix("test_") for node in tree.body if isinstance(node, ast.FunctionDef)}
    files = {path.stem for path in BROWSER.glob("test_*.py")}
    assert {row.done_in for row in ROWS if row.done_in} - stories - files == set()


def test_what_takes_a_form_is_done_in_a_story() -> None:
    def untold(row: Row) -> bool:
        return row.instead == "takes a form" and not row.done_in

    assert [row.route for row in ROWS if untold(row)] == []
