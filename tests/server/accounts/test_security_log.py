"""The security log: what is written of sign-ins, refusals, changes and acts of the staff, and what is not."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core.cache import caches
from django.test import Client
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from crownhead.server.accounts.models import User
from crownhead.server.accounts.services import closing
from crownhead.server.accounts.tokens import services as tokens
from crownhead.server.core.monitoring.logs import JsonFormatter
from crownhead.server.core.monitoring.metrics import SECURITY_EVENTS
from crownhead.server.ladders.services import founding
from crownhead.server.play.staff import services as decisions
from crownhead.server.social.services import bans
from tests.server.accounts.test_security import signed_in, switch_on
from tests.server.conftest import PASSWORD, Api, clear_caches, make_user
from tests.server.play.factories import NOW, make_game

pytestmark = pytest.mark.django_db

ADDRESS = "203.0.113.77"
Log = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> Log:
    """The facts of the lines since it was last asked for."""
    caplog.set_level(logging.INFO, logger="crownhead.security")

    def taken() -> list[dict[str, Any]]:
        rows = [row.__dict__["facts"] for row in caplog.records if row.name == "crownhead.security"]
        caplog.clear()
        return rows

    return taken


def events(rows: list[dict[str, Any]]) -> list[str]:
    return [row["event"] for row in rows]


@pytest.fixture
def host(db: None) -> User:
    return make_user("hugo", is_staff=True, is_superuser=True)


@pytest.fixture
def browser() -> Client:
    return Client(REMOTE_ADDR=ADDRESS, raise_request_exception=False)


def test_a_sign_in_is_written_with_the_way_and_the_network(alice: User, browser: Client, log: Log) -> None:
    browser.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    browser.post("/accounts/logout/")
    signed_in, signed_out = (row for row in log() if row["event"] in {"signed-in", "signed-out"})
    assert signed_in == {
        "event": "signed-in",
        "user": alice.pk,
        "network": "203.0.113.0/24",
        "by": "password",
    }
    assert signed_out == {"event": "signed-out", "user": alice.pk, "network": "203.0.113.0/24"}


def test_a_failed_sign_in_names_whom_it_meant_and_nothing_that_was_typed(
    alice: User, browser: Client, log: Log
) -> None:
    for login in ("alice", "alice@club.example", "hunter2-in-the-wrong-field"):
        browser.post("/accounts/login/", {"login": login, "password": "not that one"})
    rows = log()
    assert [(row["event"], row.get("user")) for row in rows] == [
        ("sign-in-failed", alice.pk),
        ("sign-in-failed", alice.pk),
        ("sign-in-failed", None),
    ]
    assert "hunter2" not in json.dumps(rows)


def test_tries_beyond_the_limit_are_written(
    alice: User, browser: Client, log: Log, settings: Settings
) -> None:
    settings.LIMITS = settings.LIMITS | {"sign_in": "1/h"}
    for _ in range(2):
        browser.post("/accounts/login/", {"login": "alice", "password": "not that one"})
    assert events(log()) == ["sign-in-failed", "sign-in-throttled"]
    assert alice.pk


def test_a_wrong_code_of_a_second_factor_is_written_of_pages_and_programs(
    alice: User, log: Log, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        switch_on(signed_in(alice))
    assert {"second-factor-added"} <= set(events(log()))
    again = Client()
    again.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    again.post("/accounts/second-factor/", {"code": "000000"})
    body = {"username": "alice", "password": PASSWORD, "code": "000000"}
    assert Api().post("/tokens", body).status_code == 401
    rows = [row for row in log() if row["event"] == "second-factor-failed"]
    assert [row["user"] for row in rows] == [alice.pk, alice.pk]


def test_being_asked_for_the_password_again_is_written_and_a_wrong_one_too(alice: User, log: Log) -> None:
    browser = Client()
    browser.force_login(alice)
    log()
    browser.get("/accounts/tokens/new/")
    browser.post("/accounts/reauthenticate/", {"password": "not that one"})
    assert events(log()) == ["confirmation-asked", "confirmation-failed"]


def test_a_wrong_password_by_which_a_program_would_close_the_account_is_written(
    alice: User, log: Log
) -> None:
    program = Api().as_(alice)
    log()
    assert program.post("/me/close", {"password": "not that one"}).status_code == 403
    (row,) = [row for row in log() if row["event"] == "confirmation-failed"]
    assert (row["user"], row["network"]) == (alice.pk, "127.0.0.0/24")


def test_a_changed_password_is_written_without_it(
    alice: User, log: Log, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    browser, new = signed_in(alice), "another quiet corner"
    with django_capture_on_commit_callbacks(execute=True):
        browser.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": new})
    rows = log()
    assert {"password-changed", "access-ended"} <= set(events(rows))
    assert new not in json.dumps(rows)


def test_an_address_is_not_in_the_lines_about_it(
    alice: User, log: Log, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    EmailAddress.objects.filter(user=alice).update(verified=False)
    browser = signed_in(alice)
    browser.post("/accounts/reauthenticate/", {"password": PASSWORD})
    with django_capture_on_commit_callbacks(execute=True):
        browser.post("/accounts/email/", {"email": "new@club.example", "action_add": ""})
    rows = log()
    assert "email-change-asked" in events(rows)
    assert "club.example" not in json.dumps(rows)


def test_tokens_are_written_when_made_and_ended_without_them(
    alice: User, log: Log, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        token = tokens.new_token(user=alice, now=NOW)
        tokens.revoke_token(token=token)
    made, ended = log()
    assert made == {"event": "token-made", "user": alice.pk, "scopes": "read+play+talk"}
    assert ended == {"event": "credential-ended", "user": alice.pk, "kind": "token"}


def test_making_and_closing_an_account_are_written(
    log: Log, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    body = {"username": "dora", "email": "dora@club.example", "password": "a quiet corner"}
    with django_capture_on_commit_callbacks(execute=True):
        assert Api().post("/accounts", body).status_code == 201
        dora = User.objects.get(username="dora")
        closing.close(user=dora, now=NOW)
    rows = [row for row in log() if row["event"].startswith("account-")]
    assert rows == [
        {"event": "account-made", "user": dora.pk},
        {"event": "account-closed", "user": dora.pk},
    ]


def test_the_same_refusal_is_written_once_a_minute_and_counted_each_time(db: None, log: Log) -> None:
    before = SECURITY_EVENTS.labels("refused")._value.get()  # noqa: SLF001
    for _ in range(3):
        assert Api("no token").get("/me").status_code == 401
    rows = [row for row in log() if row["event"] == "refused"]
    (row,) = rows
    assert row == {
        "event": "refused",
        "network": "127.0.0.0/24",
        "status": 401,
        "method": "GET",
        "route": "/api/v1/me",
    }
    assert SECURITY_EVENTS.labels("refused")._value.get() - before == 3  # noqa: SLF001


def test_the_addresses_of_a_household_are_one_visitor(db: None, log: Log) -> None:
    """Somebody with a /64 of IPv6 has a new address for every request."""
    for number in range(3):
        Client(REMOTE_ADDR=f"2001:db8:1:2::{number}").get(
            "/api/v1/me", headers={"Authorization": "Bearer no"}
        )
    assert len([row for row in log() if row["event"] == "refused"]) == 1


def test_what_was_refused_takes_no_room_of_the_limits(db: None) -> None:
    """One visitor is refused at each address of the site: so many entries would push counts out."""
    program = Api("no token")
    program.get("/me")
    before = set(caches["limits"]._cache)  # type: ignore[attr-defined]  # noqa: SLF001
    assert [program.get(path).status_code for path in ("/messages", "/notices", "/reports")] == [401] * 3
    assert set(caches["limits"]._cache) == before  # type: ignore[attr-defined]  # noqa: SLF001


def test_a_form_without_its_token_and_a_spent_rate_are_refusals(
    alice: User, log: Log, settings: Settings
) -> None:
    browser = Client(enforce_csrf_checks=True, REMOTE_ADDR=ADDRESS)
    for _ in range(2):
        assert browser.post("/accounts/login/", {"login": "alice"}).status_code == 403
    settings.LIMITS = settings.LIMITS | {"pages": "1/h"}
    clear_caches()
    assert [Client(REMOTE_ADDR=ADDRESS).get("/rules/").status_code for _ in range(3)] == [200, 429, 429]
    rows = [row for row in log() if row["event"] == "refused"]
    assert [(row["status"], row["network"]) for row in rows] == [
        (403, "203.0.113.0/24"),
        (429, "203.0.113.0/24"),
    ]
    assert alice.pk


def test_acts_of_the_staff_are_written(
    alice: User,
    bob: User,
    host: User,
    log: Log,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    game = make_game(alice, bob)
    with django_capture_on_commit_callbacks(execute=True):
        decisions.adjudicate(by=host, game_id=game.public_id, result="draw", reason="So.", now=NOW)
        bans.ban(staff=host, user=bob, until=None, reason="Sold pills at example.org.", now=NOW)
        ladder = founding.open_ladder(staff=host, now=NOW, variant="russian", style="stairs", time=9)
        browser = Client()
        browser.force_login(host)
        browser.post(f"/staff/accounts/user/{alice.pk}/password/", {"password1": "x", "password2": "y"})
        browser.post("/staff/social/news/add/", {"title": "Spring", "text": "Cup."})
    rows = [row for row in log() if row["event"] == "staff-action"]
    assert [row | {"event": ""} for row in rows[:3]] == [
        {"event": "", "user": host.pk, "did": "adjudicated", "game": game.public_id},
        {"event": "", "user": host.pk, "did": "banned", "about": bob.pk},
        {"event": "", "user": host.pk, "did": "opened", "ladder": ladder.public_id},
    ]
    assert rows[3]["did"] == "added-news"
    assert "pills" not in json.dumps(rows)


def test_a_line_of_json_has_the_facts(caplog: pytest.LogCaptureFixture, browser: Client, alice: User) -> None:
    caplog.set_level(logging.INFO, logger="crownhead.security")
    browser.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    row = next(row for row in caplog.records if row.name == "crownhead.security")
    line = json.loads(JsonFormatter().format(row))
    assert (line["logger"], line["event"], line["user"]) == ("crownhead.security", "signed-in", alice.pk)
    assert line["time"].endswith("+00:00")
    assert row.getMessage() == f"event=signed-in user={alice.pk} network=203.0.113.0/24 by=password"


def test_removing_a_second_factor_is_written(alice: User, log: Log) -> None:
    browser = signed_in(alice)
    switch_on(browser)
    assert Authenticator.objects.filter(user=alice).exists()
    browser.post("/accounts/second-factor/app/off/")
    assert "second-factor-removed" in events(log())
