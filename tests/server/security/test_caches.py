"""No shared cache keeps what one member is shown; no browser keeps what opens an account."""

from __future__ import annotations

from http import HTTPStatus

import pytest
from django.db import transaction

from tests.server.conftest import PASSWORD, clear_caches
from tests.server.security import requests
from tests.server.security.visitors import Visitors

# What is the same for everybody.
PUBLIC = {
    *("GET /diagram.png", "GET /diagram.svg", "GET /favicon.ico", "GET /offline/"),
    "GET /manifest.webmanifest",
    *("GET /games/{public_id}.fen", "GET /games/{public_id}.png", "GET /games/{public_id}.svg"),
    *("GET /players/{name}/avatar.svg", "GET /robots.txt", "GET /sitemap.xml", "GET /sw.js"),
}
# What a program or another tab would have to sign in for once more.
_PERSONAL = ("my-data/", "api/v1/me/archives")


@pytest.mark.slow
def test_what_a_member_is_shown_is_kept_by_no_shared_cache(club: Visitors) -> None:
    browser = club.browser("owner")
    browser.post("/accounts/reauthenticate/", {"password": PASSWORD})  # some pages want to know who asks
    shared: set[str] = set()
    stored: set[str] = set()
    for ask in (*requests.pages(club.facts), *requests.calls(club.facts)):
        if ask.method != "GET":
            continue
        clear_caches()
        with transaction.atomic():
            answer = browser.get(f"/{ask.address}")
            transaction.set_rollback(True)
        kept = answer.headers["Cache-Control"].split(", ")
        if ask.address.startswith(_PERSONAL):
            assert answer.status_code == HTTPStatus.OK, ask.row
        if not {"private", "no-store"} & set(kept):
            shared.add(ask.row)
        if ask.address.startswith(("accounts/", *_PERSONAL)) and "no-store" not in kept:
            stored.add(ask.row)
    assert shared == PUBLIC
    assert stored == set()
