"""Rows that the table of pages need not name: pages of the site whose address follows from what is there.

A new page without parameters is opened as it is. One with parameters takes them from the row whose route it
continues: ``teams/<slug:team_id>/statistics/`` is opened for the teams of ``teams/<slug:team_id>/``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

from tests.browser.page_table import APPS, ROWS, Row

LOOKED_AT_WITH_GAMES = "pages"  # the app whose pages tests/browser/page_paths.py opens with games on them


def patterns(resolver: Any, before: str = "", app: str = "") -> Iterator[tuple[str, str, URLPattern]]:
    """Every address of the site: its app, its route as it is written, its pattern."""
    for entry in resolver.url_patterns:
        route = before + str(entry.pattern).removeprefix("^/").removeprefix("^").removesuffix("$")
        if isinstance(entry, URLResolver):
            yield from patterns(entry, route, entry.app_name or app)
        else:
            yield app, route, entry


def unnamed_pages() -> Iterator[tuple[str, str]]:
    """App and route of the pages that no row of the table names."""
    named = {row.route for row in ROWS}
    for app, route, pattern in patterns(get_resolver()):
        ours = app in APPS or app == LOOKED_AT_WITH_GAMES
        if ours and route not in named and getattr(pattern.callback, "is_page", False):
            yield app, route


def examples(route: str) -> tuple[str, ...]:
    """Addresses of a page, with the parameters of the row that it continues; none without such a row."""
    if "<" not in route:
        return (f"/{route}",)
    begins = [row for row in ROWS if row.shows and route.startswith(row.route) and "<" in row.route]
    if not begins:
        return ()
    row = max(begins, key=lambda row: len(row.route))
    rest = route.removeprefix(row.route)
    return () if "<" in rest else tuple(path + rest for path in row.shows if path.endswith("/"))


def derived_rows(*, listed: Iterable[str]) -> tuple[Row, ...]:
    """Rows for all pages that neither the table nor a list of paths names."""
    paths = {path.partition("?")[0] for path in listed}
    routes = [route for _app, route in unnamed_pages() if f"/{route}" not in paths]
    return tuple(Row(route, examples(route)) for route in routes if examples(route))
