"""No shared cache keeps what one member is shown; no browser keeps what opens an account."""

from __future__ import annotations

import pytest
from django.db import transaction

from tests.server.conftest import clear_caches
from tests.server.security import requests
from tests.server.security.visitors import Visitors

# What is the same for everybody.
PUBLIC = {
    *("GET /diagram.png", "GET /diagram.svg", "GET /favicon.ico", "GET /offline/"),
    "GET /manifest.webmanifest",
    *("GET /games/{public_id}.fen", "GET /games/{public_id}.png", "GET /games/{public_id}.svg"),
    *("GET /players/{name}/avatar.svg", "GET /robots.txt", "GET /sitemap.xml", "GET /sw.js"),
}


@pytest.mark.slow
def test_what_a_member_is_shown_is_kept_by_no_shared_cache(club: Visitors) -> None:
    browser = club.browser("owner")
    shared: set[str] = set()
    stored: set[str] = set()
    for ask in (*requests.pages(club.facts), *requests.calls(club.facts)):
        if ask.method != "GET":
            continue
        clear_caches()
        with transaction.atomic():
            kept = browser.get(f"/{ask.address}").headers["Cache-Control"].split(", ")
            transaction.set_rollback(True)
        if not {"private", "no-store"} & set(kept):
            shared.add(ask.row)
        if (ask.address.startswith("accounts/") or ask.address.endswith(".zip")) and "no-store" not in kept:
            stored.add(ask.row)
    assert shared == PUBLIC
    assert stored == set()
