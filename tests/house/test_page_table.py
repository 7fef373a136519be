"""No page of the life around the games is forgotten: each has its row, and what is done there its story."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from django.urls import URLResolver, get_resolver

from tests.browser.page_table import ACCOUNT, APPS, ROWS
from tests.house.tree import HOUSE

BROWSER = HOUSE / "tests" / "browser"


def routes(
    resolver: URLResolver, before: str = "", *, ours: bool = False, every: bool = False
) -> Iterator[str]:
    """The addresses of the apps, and of accounts, as they are written."""
    for entry in resolver.url_patterns:
        route = before + str(entry.pattern).removeprefix("^/").removeprefix("^").removesuffix("$")
        if isinstance(entry, URLResolver):
            yield from routes(
                entry, route, ours=every or entry.app_name in APPS or route == ACCOUNT, every=every
            )
        elif ours:
            yield route


def test_every_address_has_its_row() -> None:
    known = {row.route for row in ROWS}
    there = set(routes(get_resolver()))
    assert there - known == set(), "expected a row in tests/browser/page_table.py"
    assert known - set(routes(get_resolver(), every=True)) == set(), (
        "expected an address that the site still has"
    )


def test_a_row_shows_something_or_says_why_not() -> None:
    assert [row.route for row in ROWS if bool(row.shows) == bool(row.instead)] == []


def test_what_is_done_on_a_page_is_told_in_a_story() -> None:
    tree = ast.parse((BROWSER / "test_stories.py").read_text("utf-8"))
    stories = {node.name.removeprefix("test_") for node in tree.body if isinstance(node, ast.FunctionDef)}
    files = {path.stem for path in BROWSER.glob("test_*.py")}
    assert {row.done_in for row in ROWS if row.done_in} - stories - files == set()


def test_what_takes_a_form_is_done_in_a_story() -> None:
    assert [row.route for row in ROWS if row.instead == "takes a form" and not row.done_in] == []
