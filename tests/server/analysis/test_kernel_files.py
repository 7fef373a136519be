"""What the module for browsers fetches: rules, weights and endgame tables of a variant."""

from __future__ import annotations

import pytest
from django.test import Client

from crownhead.engine import browser
from crownhead.openings import opening_names

pytestmark = pytest.mark.django_db


def test_anybody_gets_rules_weights_and_tables(client: Client) -> None:
    rules = client.get("/api/v1/variants/russian/rules")
    assert rules["Content-Type"] == "application/json"
    assert rules.json() == browser.row("russian")
    assert client.get("/api/v1/variants/russian/weights").content == browser.weights("russian")
    assert client.get("/api/v1/variants/american/tables").content == browser.tables("american")
    assert client.get("/api/v1/variants/italian/tables").content == b""
    assert client.get("/api/v1/variants/russian/openings").json() == opening_names("russian")
    assert client.get("/api/v1/variants/italian/openings").json() == {}


def test_a_browser_that_has_the_weights_gets_them_no_more(client: Client) -> None:
    first = client.get("/api/v1/variants/russian/weights", headers={"Accept-Encoding": "gzip"})
    assert first["Content-Encoding"] == "gzip"
    assert len(first.content) < len(browser.weights("russian")) / 3
    again = client.get("/api/v1/variants/russian/weights", headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304


@pytest.mark.parametrize("what", ["rules", "weights", "tables", "openings"])
def test_an_unknown_variant_is_not_found(client: Client, what: str) -> None:
    assert client.get(f"/api/v1/variants/nonesuch/{what}").status_code == 404
