"""What the pages of one guest, and the positions of one request, may cost."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.test import Client
from pytest_django import Settings

from crownhead.server.accounts.models import User
from crownhead.server.core import clock
from tests.server.guests import browser_of, make_guest
from tests.server.play.factories import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def two_pages(settings: Settings) -> Iterator[None]:
    """A guest may see two pages a day, and the day does not end."""
    settings.LIMITS = settings.LIMITS | {"pages": "2/d"}
    with clock.stopped(NOW):
        yield


def page(client: Client, path: str = "/rules/", *, at: str = "192.0.2.1") -> int:
    return client.get(path, REMOTE_ADDR=at).status_code


@pytest.mark.usefixtures("two_pages")
def test_the_pages_of_guests_are_limited_by_their_address(client: Client) -> None:
    assert [page(client) for _ in range(3)] == [200, 200, 429]
    assert [page(client, path) for path in ("/analysis/", "/diagram.svg", "/accounts/login/")] == [429] * 3
    assert page(client, at="192.0.2.2") == 200

    refused = client.get("/analysis/", REMOTE_ADDR="192.0.2.1")

    assert int(refused.headers["Retry-After"]) > 0
    assert refused.content.decode().startswith("Too many requests. Try again in ")


@pytest.mark.usefixtures("two_pages")
def test_a_form_that_takes_as_long_to_read_as_several_pages_counts_as_several(client: Client) -> None:
    def send(length: int, *, at: str) -> int:
        form = b"text=" + b"%41" * (length // 3)
        media_type = "application/x-www-form-urlencoded"
        return client.post("/analysis/", form, content_type=media_type, REMOTE_ADDR=at).status_code

    assert send(120_000, at="192.0.2.1") == 429
    assert send(60_000, at="192.0.2.2") != 429
    assert page(client, at="192.0.2.2") == 429


def test_a_browser_whose_session_has_ended_is_told_to_forget_what_it_keeps(
    alice: User, client: Client
) -> None:
    keep = "Crownhead-Keep"
    assert keep not in client.get("/rules/").headers
    client.force_login(alice)
    assert client.get("/").headers[keep] == "device"
    UserSession.objects.all().delete()
    Session.objects.all().delete()
    assert client.get("/rules/").headers[keep] == "nobody"
    assert keep not in browser_of(make_guest()).get("/rules/").headers, "a guest who plays goes on"


@pytest.mark.usefixtures("two_pages")
def test_the_guests_of_a_household_count_together(client: Client) -> None:
    assert [page(client, at=f"2001:db8:1:2::{host}") for host in (1, 2, 3)] == [200, 200, 429]
    assert page(client, at="2001:db8:1:3::1") == 200
    assert [page(client, at=f"::ffff:192.0.2.{host}") for host in (1, 2, 3)] == [200] * 3


@pytest.mark.usefixtures("two_pages")
def test_members_the_api_and_the_check_of_health_are_not_counted_as_guests(
    client: Client, alice: User
) -> None:
    assert {page(client, path) for path in ("/health", "/api/v1/variants") for _ in range(3)} == {200}
    client.force_login(alice)
    assert {page(client) for _ in range(3)} == {200}
