"""The permission matrix: every request, by every kind of visitor, is answered as the tables say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from http.cookies import SimpleCookie
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from crownhead.server.accounts.choices import Scope
from tests.lengths import short_and_full
from tests.server.conftest import Api, clear_caches
from tests.server.contract import operations
from tests.server.guests import browser_of
from tests.server.play.factories import make_game
from tests.server.security import requests
from tests.server.security.answers import TABLES, table, taking_no_old_session, word_for
from tests.server.security.requests import Ask
from tests.server.security.visitors import VISITORS, Visitors, suspend

Rows = Mapping[str, Mapping[str, str]]
_TOO_OLD = "urn:crownhead:problem:authentication-too-old"
_ALWAYS = {"guest", "playing_guest", "member", "owner"}


def answers(asked: Iterator[Ask], send: Callable[[Ask], Any]) -> dict[str, str]:
    """The word for each request; what it changed is undone before the next."""
    words = {}
    for ask in asked:
        clear_caches()
        with transaction.atomic():
            words[ask.row] = word_for(send(ask))
            transaction.set_rollback(True)
    return words


def differences(rows: Rows, kind: str, words: Mapping[str, str]) -> list[str]:
    """Rows that say something else than what was answered."""
    expected = {row: rows[row][kind] for row in words if row in rows}
    return [
        f"{row}: expected {expected[row]}, got {words[row]}"
        for row in expected
        if words[row] != expected[row]
    ]


def left_to_the_night(rows: Rows, kind: str, ask: Ask) -> bool:
    """Whether CI leaves this out: a kind of member who is answered as any member is."""
    row = rows.get(ask.row)
    return kind not in _ALWAYS and row is not None and row[kind] == row["member"]


@pytest.mark.parametrize("everything", short_and_full(False, True))
@pytest.mark.parametrize("kind", VISITORS)
def test_every_page_answers_every_visitor_as_its_row_says(
    club: Visitors, kind: str, everything: bool
) -> None:
    rows, browser = table(TABLES["pages"]), club.browser(kind)
    cookies = {name: morsel.value for name, morsel in browser.cookies.items()}
    if kind == "suspended":
        suspend(club)

    def send(ask: Ask) -> Any:
        browser.cookies = SimpleCookie(cookies)  # also behind the request that signs out
        return ask.from_browser(browser)

    asked = (
        ask for ask in requests.pages(club.facts) if everything or not left_to_the_night(rows, kind, ask)
    )
    words = answers(asked, send)
    unnamed = [row for row, word in words.items() if row not in rows and word != "-"]
    assert unnamed == [], f"add a row for each of these to tests/server/security/{TABLES['pages']}"
    assert differences(rows, kind, words) == []


@pytest.mark.parametrize("everything", short_and_full(False, True))
@pytest.mark.parametrize("kind", VISITORS)
def test_every_operation_answers_every_visitor_as_its_row_says(
    club: Visitors, kind: str, everything: bool
) -> None:
    rows, program = table(TABLES["calls"]), club.program(kind)
    if kind == "suspended":
        suspend(club)
    asked = (
        ask for ask in requests.calls(club.facts) if everything or not left_to_the_night(rows, kind, ask)
    )
    words = answers(asked, lambda ask: ask.from_program(program))
    assert differences(rows, kind, words) == []


def test_every_operation_has_a_row_and_every_row_its_request(club: Visitors) -> None:
    for part, name in TABLES.items():
        rows, asked = set(table(name)), {ask.row for ask in getattr(requests, part)(club.facts)}
        assert rows - asked == set(), f"{name} has rows for what the site no longer has"
        unnamed = asked - rows if part == "calls" else set()
        assert unnamed == set(), f"add a row for each of these to tests/server/security/{name}"


def test_the_operations_that_say_so_take_no_old_session(club: Visitors) -> None:
    browser = Api(client=club.browser("owner"))
    refused = set()
    for ask in requests.calls(club.facts):
        with transaction.atomic():
            answer: Any = ask.from_program(browser)
            transaction.set_rollback(True)
        if answer.status_code == 403 and answer.json()["type"] == _TOO_OLD:
            refused.add(ask.row)
    assert refused == taking_no_old_session()


def test_what_takes_a_token_that_manages_the_account_takes_no_old_session() -> None:
    """But for what asks for the password itself, and for a browser that gets notifications."""
    managing = {
        f"{method} {path}"
        for method, path, operation in operations()
        if {"Bearer": [Scope.MANAGE.value]} in operation.get("security", [])
    }
    assert managing == taking_no_old_session() | {"POST /api/v1/me/close", "POST /api/v1/push"}


@pytest.mark.parametrize("kind", ["guest", "owner"])
def test_the_back_office_lets_nobody_in_but_the_staff(club: Visitors, kind: str) -> None:
    browser = club.browser(kind)
    asked = (ask for ask in requests.back_office() if kind == "guest" or ask.method == "GET")
    words = answers(asked, lambda ask: ask.from_browser(browser))
    assert len(words) > 200
    let_in = {row for row, word in words.items() if word not in {"sign-in", "no", "hidden", "-"}}
    assert let_in <= {f"{method} staff/{page}/" for method in ("GET", "POST") for page in ("login", "logout")}


def test_the_back_office_leads_staff_without_a_second_factor_to_where_they_get_one(club: Visitors) -> None:
    browser = club.browser("unprotected")
    words = answers(requests.back_office(), lambda ask: ask.from_browser(browser))
    let_in = {row for row, word in words.items() if word not in {"sign-in", "no", "hidden", "-"}}
    assert let_in <= {f"{method} staff/{page}/" for method in ("GET", "POST") for page in ("login", "logout")}
    answer = browser.get("/staff/", follow=True)
    assert answer.redirect_chain[-1][0] == "/accounts/security/staff/"
    assert b"Turn on a second factor first" in answer.content


def test_staff_without_rights_change_nothing_in_the_back_office(club: Visitors) -> None:
    browser = club.browser("staff")
    changes = [ask for ask in requests.back_office() if ask.method == "POST"]
    changes = [
        ask for ask in changes if ask.address.endswith(("/add/", "/change/", "/delete/", "/password/"))
    ]
    assert len(changes) > 60
    words = answers(iter(changes), lambda ask: ask.from_browser(browser))
    assert {row for row, word in words.items() if word not in {"no", "refused", "hidden"}} == set()


# ------------------------------------------------------------------------------------------ forgery

# Read by mail programs (RFC 8058), which have no session; the address itself is signed.
_WITHOUT_TOKEN = {"POST /no-more/{token}/", "POST /notices/stop/{token}/"}


def test_no_page_takes_a_form_without_the_token_of_a_page(club: Visitors) -> None:
    browser = Client(enforce_csrf_checks=True, raise_request_exception=False)
    browser.force_login(club.users["owner"])
    asked = (ask for ask in requests.pages(club.facts) if ask.method == "POST")
    words = answers(asked, lambda ask: ask.from_browser(browser))
    assert len(words) > 100
    assert {row for row, word in words.items() if word != "no"} == _WITHOUT_TOKEN


def test_no_operation_takes_a_session_without_the_token_of_a_page(club: Visitors) -> None:
    browser = Client(enforce_csrf_checks=True, raise_request_exception=False)
    browser.force_login(club.users["owner"])
    for ask in requests.calls(club.facts):
        if ask.method != "GET":
            answer = browser.generic(ask.method, f"/{ask.address}", b"{}", "application/json")
            assert answer.status_code == 403 or ask.row.endswith(("v1/accounts", "v1/tokens")), ask.row


def test_no_request_of_a_guest_who_plays_is_taken_without_the_token_of_a_page(club: Visitors) -> None:
    guest = club.users["playing_guest"]
    browser = Client(enforce_csrf_checks=True, raise_request_exception=False)
    browser.cookies = browser_of(guest).cookies
    game = make_game(club.users["owner"], guest)
    address, move = f"/api/v1/games/{game.public_id}/moves", {"move": "11-15", "version": game.version}
    assert browser.post(address, move, content_type="application/json").status_code == 403
    assert browser.post(f"/games/{game.public_id}/", {"do": "resign"}).status_code == 403
