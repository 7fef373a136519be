"""HEAD, which uptime checks and previews of links send: it is answered wherever GET is, and alike."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
from django.db import transaction
from django.test import Client
from pytest_django import Settings

from crownhead.server.core import clock
from tests.server.conftest import clear_caches
from tests.server.play.factories import NOW
from tests.server.security import requests
from tests.server.security.visitors import Visitors, make_club

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(settings: Settings, tmp_path: Path) -> Iterator[Visitors]:
    """One of everything; nothing is asked too often."""
    settings.LIMITS = dict.fromkeys(settings.LIMITS, "1000000/m")
    settings.DATA = tmp_path
    with clock.stopped(NOW):
        yield make_club()


def status(browser: Client, method: str, address: str) -> int:
    """The status of an answer; what the request changed is undone."""
    clear_caches()
    with transaction.atomic():
        answer = browser.generic(method, f"/{address}")
        transaction.set_rollback(True)
    return int(answer.status_code)


def test_head_is_answered_as_get_is(club: Visitors) -> None:
    browser = club.browser("owner")
    everything = chain(requests.pages(club.facts), requests.calls(club.facts))
    asked = [ask for ask in everything if ask.method == "GET"]
    wrong = {}
    for ask in asked:
        usual, answer = (status(browser, method, ask.address) for method in ("GET", "HEAD"))
        if usual != answer:
            wrong[ask.row] = (usual, answer)
    assert len(asked) > 200
    assert wrong == {}


@pytest.mark.parametrize("path", ["/", "/news/", "/api/v1/variants", "/api/v1/openapi.json"])
def test_an_answer_to_head_has_the_headers_and_no_body(client: Client, path: str) -> None:
    usual, answer = client.get(path), client.head(path)
    assert answer.status_code == 200
    assert answer.content == b""
    assert answer["Content-Type"] == usual["Content-Type"]


def test_head_of_an_operation_that_only_changes_something_is_refused(client: Client) -> None:
    answer = client.head("/api/v1/auto-match")
    assert answer.status_code == 405
    assert answer["Allow"] == "POST"


def test_a_page_that_asks_to_sign_in_leads_back_to_the_whole_address(client: Client) -> None:
    path = "/messages/new/?to=bob"
    assert client.head(path)["Location"] == client.get(path)["Location"]
